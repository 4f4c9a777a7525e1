-- The subject map: concepts, their names, where the files explain them, what builds on what.

CREATE TABLE concepts (
    row INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    subject TEXT NOT NULL REFERENCES subjects(id),
    key TEXT NOT NULL,                      -- canonical key of the first name
    name TEXT NOT NULL,
    language TEXT,
    summary TEXT NOT NULL DEFAULT '',
    origin TEXT NOT NULL CHECK (origin IN ('file', 'taught', 'check', 'assumed')),
    created_at INTEGER NOT NULL,
    created_by TEXT,                        -- the episode whose words named it, where no file does
    centrality REAL NOT NULL DEFAULT 0,     -- derived
    maturity REAL NOT NULL DEFAULT 0.35,    -- derived: about the material, never the student
    hidden INTEGER NOT NULL DEFAULT 0,      -- nothing supports it and nothing touches it
    UNIQUE (subject, key)
) STRICT;

CREATE TABLE concept_names (
    concept TEXT NOT NULL REFERENCES concepts(id),
    subject TEXT NOT NULL,
    key TEXT NOT NULL,
    name TEXT NOT NULL,
    language TEXT NOT NULL DEFAULT '',      -- empty: unknown
    alias INTEGER NOT NULL,                 -- 0: the name it is shown by in that language
    swept INTEGER NOT NULL DEFAULT 0,       -- 1: the whole log was searched for it (episode_concepts)
    PRIMARY KEY (concept, key, language)
) STRICT, WITHOUT ROWID;
CREATE INDEX concept_names_by_key ON concept_names (subject, key);

CREATE TABLE concept_places (               -- which version explains it, where, and in which words
    concept TEXT NOT NULL REFERENCES concepts(id),
    version INTEGER NOT NULL REFERENCES versions(id),
    pages TEXT NOT NULL,                    -- JSON list of pages
    definition TEXT NOT NULL DEFAULT '',    -- quoted from the file
    page INTEGER,
    first_line INTEGER,
    last_line INTEGER,
    PRIMARY KEY (concept, version)
) STRICT, WITHOUT ROWID;
CREATE INDEX concept_places_by_version ON concept_places (version);

CREATE TABLE edges (                        -- concept builds on needs
    concept TEXT NOT NULL REFERENCES concepts(id),
    needs TEXT NOT NULL REFERENCES concepts(id),
    version INTEGER NOT NULL REFERENCES versions(id),
    weight REAL NOT NULL,
    reason TEXT NOT NULL,                   -- definition, name, order, assumed
    PRIMARY KEY (concept, needs, version)
) STRICT, WITHOUT ROWID;
CREATE INDEX edges_by_needs ON edges (needs);

CREATE TABLE assumed (                      -- used by the file and never explained; a node only when two concepts assume it
    concept TEXT NOT NULL REFERENCES concepts(id),
    version INTEGER NOT NULL REFERENCES versions(id),
    key TEXT NOT NULL,
    name TEXT NOT NULL,
    PRIMARY KEY (concept, version, key)
) STRICT, WITHOUT ROWID;

CREATE TABLE notes (                        -- taught notes: which concept they hang on; their words stay in the ledger
    episode TEXT NOT NULL REFERENCES episodes(id),
    subject TEXT NOT NULL,
    concept TEXT NOT NULL DEFAULT '',       -- empty: About you
    live INTEGER NOT NULL DEFAULT 1,        -- 0: replaced, withdrawn or redacted
    PRIMARY KEY (episode, concept)
) STRICT, WITHOUT ROWID;
CREATE INDEX notes_by_concept ON notes (concept);
