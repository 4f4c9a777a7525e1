-- What an answer read and what it can show for its claims. Immutable: written once, with the answer.

CREATE TABLE answer_reads (                 -- what reached the prompt
    answer TEXT NOT NULL REFERENCES episodes(id),
    kind TEXT NOT NULL CHECK (kind IN ('episode', 'passage', 'belief', 'concept')),
    source TEXT NOT NULL,                   -- episode id, passage id, belief id, concept id
    rank INTEGER NOT NULL,
    score REAL NOT NULL,
    PRIMARY KEY (answer, kind, source)
) STRICT, WITHOUT ROWID;

CREATE TABLE answer_citations (
    answer TEXT NOT NULL REFERENCES episodes(id),
    claim INTEGER NOT NULL,                 -- position of the claim in the answer, from 0
    first INTEGER NOT NULL,                 -- character span of the claim in the answer's text
    last INTEGER NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('passage', 'episode', 'none')),
    source TEXT,
    score REAL NOT NULL,
    PRIMARY KEY (answer, claim)
) STRICT, WITHOUT ROWID;

CREATE TABLE answer_status (
    answer TEXT PRIMARY KEY REFERENCES episodes(id),
    status TEXT NOT NULL CHECK (status IN ('answered', 'partly', 'not_possible')),
    brief TEXT NOT NULL,                    -- ids and labels only, as JSON: words are rendered from the ledger
    timings TEXT NOT NULL                   -- JSON
) STRICT;

CREATE TRIGGER answer_reads_never_change BEFORE UPDATE ON answer_reads BEGIN SELECT RAISE(ABORT, 'immutable'); END;
CREATE TRIGGER answer_citations_never_change BEFORE UPDATE ON answer_citations BEGIN SELECT RAISE(ABORT, 'immutable'); END;
CREATE TRIGGER answer_status_never_changes BEFORE UPDATE ON answer_status BEGIN SELECT RAISE(ABORT, 'immutable'); END;
CREATE TRIGGER answer_reads_stay BEFORE DELETE ON answer_reads BEGIN SELECT RAISE(ABORT, 'immutable'); END;
CREATE TRIGGER answer_citations_stay BEFORE DELETE ON answer_citations BEGIN SELECT RAISE(ABORT, 'immutable'); END;
CREATE TRIGGER answer_status_stays BEFORE DELETE ON answer_status BEGIN SELECT RAISE(ABORT, 'immutable'); END;
