-- The record: subjects, episodes (chained, append-only), their words, and the full-text index over them.

CREATE TABLE subjects (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    created_at INTEGER NOT NULL,            -- UTC microseconds
    used_at INTEGER NOT NULL                -- when it was last the current subject
) STRICT;

CREATE TABLE episodes (
    row INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,                -- UUIDv7
    subject TEXT NOT NULL REFERENCES subjects(id),
    seq INTEGER NOT NULL,                   -- 1, 2, 3 … within the subject: the order of the chain
    kind TEXT NOT NULL CHECK (kind IN ('question', 'answer', 'check', 'quiz', 'file', 'taught', 'consolidation',
                                       'redaction', 'withdrawal', 'contest')),
    origin TEXT NOT NULL CHECK (origin IN ('typed', 'tutor', 'imported', 'cycle')),
    at INTEGER NOT NULL,                    -- UTC microseconds
    offset INTEGER NOT NULL,                -- minutes east of UTC in force then
    zone TEXT NOT NULL,
    recorded_at INTEGER NOT NULL,           -- UTC microseconds: when it reached this ledger
    salience REAL NOT NULL,
    meta TEXT NOT NULL,                     -- the JSON text whose UTF-8 bytes are hashed
    digest BLOB NOT NULL,                   -- SHA-256 of the salted content
    prev BLOB NOT NULL,
    hash BLOB NOT NULL UNIQUE,
    day INTEGER NOT NULL                    -- local day, days since 1970-01-01
        GENERATED ALWAYS AS ((at + offset * 60000000 + 86400000000000000) / 86400000000 - 1000000) VIRTUAL,
    verdict TEXT GENERATED ALWAYS AS (meta ->> '$.verdict') VIRTUAL,
    external_id TEXT GENERATED ALWAYS AS (meta ->> '$.external_id') VIRTUAL,
    about TEXT GENERATED ALWAYS AS (meta ->> '$.about') VIRTUAL,
    replaces TEXT GENERATED ALWAYS AS (meta ->> '$.replaces') VIRTUAL,
    UNIQUE (subject, seq)
) STRICT;

CREATE INDEX episodes_by_day ON episodes (subject, day, kind);
CREATE INDEX episodes_by_kind ON episodes (subject, kind, at);
CREATE INDEX episodes_by_time ON episodes (subject, at, seq);
CREATE INDEX episodes_by_external_id ON episodes (subject, external_id) WHERE external_id IS NOT NULL;
CREATE INDEX episodes_by_about ON episodes (about) WHERE about IS NOT NULL;
CREATE INDEX episodes_by_replaces ON episodes (replaces) WHERE replaces IS NOT NULL;

CREATE TABLE contents (
    episode INTEGER PRIMARY KEY REFERENCES episodes(row),
    salt BLOB NOT NULL,                     -- 16 random bytes; emptied by redaction
    body TEXT NOT NULL                      -- the JSON text whose UTF-8 bytes are hashed; emptied by redaction
) STRICT;

CREATE TRIGGER episodes_extend_the_head BEFORE INSERT ON episodes
BEGIN
    SELECT RAISE(ABORT, 'an episode must extend the head of its chain')
    WHERE NEW.seq IS NOT (SELECT coalesce(max(seq), 0) + 1 FROM episodes WHERE subject = NEW.subject)
       OR (NEW.seq > 1 AND NEW.prev IS NOT
           (SELECT hash FROM episodes WHERE subject = NEW.subject AND seq = NEW.seq - 1));
END;
CREATE TRIGGER episodes_are_never_updated BEFORE UPDATE ON episodes
BEGIN
    SELECT RAISE(ABORT, 'episodes are append-only');
END;
CREATE TRIGGER episodes_are_never_deleted BEFORE DELETE ON episodes
BEGIN
    SELECT RAISE(ABORT, 'episodes are append-only');
END;
CREATE TRIGGER contents_are_only_emptied BEFORE UPDATE ON contents
WHEN NOT (NEW.episode = OLD.episode AND NEW.body = '' AND NEW.salt = x'')
BEGIN
    SELECT RAISE(ABORT, 'the words of an episode can only be emptied');
END;
CREATE TRIGGER contents_are_never_deleted BEFORE DELETE ON contents
BEGIN
    SELECT RAISE(ABORT, 'episodes are append-only');
END;

-- Derived from episodes and contents; dropped and rebuilt by `retiens rebuild`.
CREATE VIRTUAL TABLE episode_words USING fts5 (
    surface, stems, content = '', contentless_delete = 1, tokenize = "unicode61 remove_diacritics 0"
);
CREATE VIRTUAL TABLE episode_vocabulary USING fts5vocab (episode_words, 'row');

CREATE TABLE episode_facts (                -- what recall needs to know of an episode without reading its words
    episode INTEGER PRIMARY KEY REFERENCES episodes(row),
    recallable INTEGER NOT NULL,            -- 0: bookkeeping, narration, replaced, stopped, interrupted, withdrawn, redacted
    same BLOB NOT NULL                      -- hash of (kind, verdict, normalised text): equal means a repetition
) STRICT;

CREATE TABLE episode_concepts (             -- which concepts an episode touches, by today's map
    episode INTEGER NOT NULL REFERENCES episodes(row),
    concept TEXT NOT NULL,
    how TEXT NOT NULL,                      -- exact, alias, similar
    PRIMARY KEY (episode, concept)
) STRICT, WITHOUT ROWID;
CREATE INDEX episode_concepts_by_concept ON episode_concepts (concept, episode);

-- What the student is typing an answer to, and what the model has said so far: scratch, not record.
CREATE TABLE scratch_answers (
    question TEXT PRIMARY KEY REFERENCES episodes(id),
    subject TEXT NOT NULL REFERENCES subjects(id),
    text TEXT NOT NULL,
    language TEXT,
    saved_at INTEGER NOT NULL
) STRICT;

INSERT INTO episode_words (episode_words, rank) VALUES ('secure-delete', 1);
