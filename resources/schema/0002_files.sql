-- Files, their versions and passages, and the vectors of everything.

CREATE TABLE files (
    id TEXT PRIMARY KEY,
    subject TEXT NOT NULL REFERENCES subjects(id),
    path TEXT NOT NULL,                     -- absolute path when last seen
    name TEXT NOT NULL,                     -- what the student sees
    state TEXT NOT NULL CHECK (state IN ('waiting', 'reading', 'done', 'failed', 'removed')),
    fault TEXT,                             -- a code, turned into words by whoever shows it
    added_at INTEGER NOT NULL,
    UNIQUE (subject, path)
) STRICT;

CREATE TABLE versions (                     -- one reading of one file; old ones are kept so that old citations still open
    id INTEGER PRIMARY KEY,
    file TEXT NOT NULL REFERENCES files(id),
    sha256 TEXT NOT NULL,
    bytes INTEGER NOT NULL,
    format TEXT NOT NULL,
    language TEXT,
    pages INTEGER NOT NULL,                 -- pages in the file
    pages_read INTEGER NOT NULL,            -- pages already searchable
    seconds REAL NOT NULL DEFAULT 0,
    tokens INTEGER NOT NULL DEFAULT 0,
    finished INTEGER NOT NULL DEFAULT 0,
    current INTEGER NOT NULL DEFAULT 1,
    read_at INTEGER NOT NULL,
    UNIQUE (file, sha256)
) STRICT;
CREATE INDEX versions_by_sha256 ON versions (sha256);

CREATE TABLE passages (
    id INTEGER PRIMARY KEY,
    version INTEGER NOT NULL REFERENCES versions(id),
    subject TEXT NOT NULL REFERENCES subjects(id),
    page INTEGER NOT NULL,                  -- from 1
    label TEXT NOT NULL DEFAULT '',         -- the page's own label ("iv"), where it has one
    first_line INTEGER NOT NULL,            -- lines of the page, from 1, both included
    last_line INTEGER NOT NULL,
    heading TEXT NOT NULL DEFAULT '',
    text TEXT NOT NULL,                     -- the page's lines, joined by newlines
    language TEXT,
    current INTEGER NOT NULL DEFAULT 1      -- 0: of a replaced or removed version; not searched, still opened
) STRICT;
CREATE INDEX passages_by_version ON passages (version, page, first_line);

CREATE VIRTUAL TABLE passage_words USING fts5 (
    surface, stems, content = '', contentless_delete = 1, tokenize = "unicode61 remove_diacritics 0"
);

INSERT INTO passage_words (passage_words, rank) VALUES ('secure-delete', 1);

CREATE TABLE vectors (                      -- the truth; vector_bits is a cache of it
    kind TEXT NOT NULL CHECK (kind IN ('episode', 'passage', 'concept')),
    owner INTEGER NOT NULL,                 -- episodes.row, passages.id, concepts.row
    model TEXT NOT NULL,
    subject TEXT NOT NULL,
    day INTEGER NOT NULL,                   -- the episode's local day; 0 for passages and concepts
    vector BLOB NOT NULL,                   -- float32, little-endian, unit length
    PRIMARY KEY (kind, owner, model)
) STRICT;

CREATE TABLE vector_models (                -- the running sum of vectors, for the mean that scores are centred on
    id INTEGER PRIMARY KEY,
    kind TEXT NOT NULL,
    subject TEXT NOT NULL,
    model TEXT NOT NULL,
    dimension INTEGER NOT NULL,
    count INTEGER NOT NULL,
    total BLOB NOT NULL,                    -- float64
    centre BLOB NOT NULL,                   -- float32: what was subtracted before the bits were taken
    centred_at INTEGER NOT NULL,            -- how many vectors there were then
    stale INTEGER NOT NULL DEFAULT 0,       -- a vector was forgotten: the sum is counted anew with the next one
    UNIQUE (kind, subject, model)
) STRICT;

CREATE TABLE vector_bits (                  -- signs of the centred vectors, side by side for a quick first look
    space INTEGER NOT NULL,                 -- vector_models.id
    chunk INTEGER NOT NULL,                 -- 0, 1, 2 …: at most 256 owners each
    first_day INTEGER NOT NULL,
    last_day INTEGER NOT NULL,
    owners BLOB NOT NULL,                   -- int64, little-endian
    days BLOB NOT NULL,                     -- int32, little-endian
    bits BLOB NOT NULL,                     -- one bit a dimension
    PRIMARY KEY (space, chunk)
) STRICT;

CREATE TABLE vector_queue (                 -- what still waits for a vector, newest first
    kind TEXT NOT NULL,
    owner INTEGER NOT NULL,
    PRIMARY KEY (kind, owner)
) STRICT, WITHOUT ROWID;

-- A forgotten vector leaves nothing behind: the bits of its space go, and are taken anew with the next vector.
CREATE TRIGGER vectors_are_forgotten_whole AFTER DELETE ON vectors
BEGIN
    DELETE FROM vector_bits WHERE space =
        (SELECT id FROM vector_models WHERE kind = OLD.kind AND subject = OLD.subject AND model = OLD.model);
    UPDATE vector_models SET count = 0, total = zeroblob(length(total)), stale = 1
    WHERE kind = OLD.kind AND subject = OLD.subject AND model = OLD.model AND stale = 0;
END;
