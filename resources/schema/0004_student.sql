-- What the tutor holds about the student: beliefs, pending checks, lessons.

CREATE TABLE beliefs (
    row INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    subject TEXT NOT NULL REFERENCES subjects(id),
    concept TEXT NOT NULL REFERENCES concepts(id),
    claim TEXT NOT NULL CHECK (claim IN ('understands', 'unsure', 'weak', 'withdrawn')),
    confidence REAL NOT NULL,
    mastery REAL NOT NULL,                  -- the student model's posterior, untouched by decay
    valid_from INTEGER NOT NULL,            -- UTC microseconds: since when it is true of the student
    valid_offset INTEGER NOT NULL,
    known_since INTEGER NOT NULL,           -- UTC microseconds: since when the tutor holds it
    reason TEXT NOT NULL CHECK (reason IN ('check', 'decay', 'import', 'contest', 'rederived', 'redaction', 'withdrawal', 'merge')),
    confirm INTEGER NOT NULL DEFAULT 0,     -- to be confirmed by the next check
    place INTEGER NOT NULL,                 -- place in the sequence that follows from the checks, from 0: a row takes the
                                            -- place of every earlier row of its concept from there on
    superseded_by TEXT REFERENCES beliefs(id) DEFERRABLE INITIALLY DEFERRED
) STRICT;
CREATE UNIQUE INDEX beliefs_current ON beliefs (concept) WHERE superseded_by IS NULL;
CREATE INDEX beliefs_by_subject ON beliefs (subject, row);
CREATE INDEX beliefs_by_concept ON beliefs (concept, row);
CREATE INDEX beliefs_by_successor ON beliefs (superseded_by);  -- else each deferred foreign key costs a scan

CREATE TRIGGER beliefs_are_immutable BEFORE UPDATE ON beliefs
WHEN NOT (OLD.superseded_by IS NULL AND NEW.superseded_by IS NOT NULL
          AND NEW.row = OLD.row AND NEW.id = OLD.id AND NEW.subject = OLD.subject AND NEW.concept = OLD.concept
          AND NEW.claim = OLD.claim AND NEW.confidence = OLD.confidence AND NEW.mastery = OLD.mastery
          AND NEW.valid_from = OLD.valid_from AND NEW.valid_offset = OLD.valid_offset
          AND NEW.known_since = OLD.known_since
          AND NEW.reason = OLD.reason AND NEW.confirm = OLD.confirm AND NEW.place = OLD.place)
BEGIN
    SELECT RAISE(ABORT, 'a belief only ever gains a successor');
END;
CREATE TRIGGER beliefs_are_never_deleted BEFORE DELETE ON beliefs
BEGIN
    SELECT RAISE(ABORT, 'a belief is superseded, never deleted');
END;

CREATE TABLE check_concepts (               -- which concept a check is evidence about, by today's rules; derived
    episode INTEGER PRIMARY KEY REFERENCES episodes(row),
    concept TEXT NOT NULL REFERENCES concepts(id)
) STRICT;
CREATE INDEX check_concepts_by_concept ON check_concepts (concept);

CREATE VIEW judged_checks AS                -- every check with the verdict that stands: a contest's own replaces the check's
SELECT e.row, e.id, e.subject, e.seq, e.at, e.offset, e.zone, e.meta ->> '$.predicted' AS predicted,
       CASE WHEN k.row IS NULL THEN e.verdict ELSE k.verdict END AS verdict, l.concept
FROM episodes e
LEFT JOIN check_concepts l ON l.episode = e.row
LEFT JOIN episodes k ON k.row = (SELECT max(d.row) FROM episodes d WHERE d.about = e.id AND d.kind = 'contest')
WHERE e.kind = 'check';

CREATE TABLE belief_episodes (              -- the latest checks that a row rests on
    belief TEXT NOT NULL REFERENCES beliefs(id),
    episode TEXT NOT NULL REFERENCES episodes(id),
    PRIMARY KEY (belief, episode)
) STRICT, WITHOUT ROWID;

CREATE TABLE pending_checks (               -- the check now waiting for the student's reply, one a subject
    subject TEXT PRIMARY KEY REFERENCES subjects(id),
    asked_at INTEGER NOT NULL,
    check_json TEXT NOT NULL
) STRICT;

CREATE TABLE lessons (                      -- where the current lesson stands
    subject TEXT PRIMARY KEY REFERENCES subjects(id),
    state_json TEXT NOT NULL
) STRICT;
