-- The nightly cycle's own notes: all derived, or safe to lose.

CREATE TABLE nights (                       -- one row a subject and local night, and how far its cycle came
    subject TEXT NOT NULL REFERENCES subjects(id),
    night INTEGER NOT NULL,                 -- local day number that the night belongs to
    step INTEGER NOT NULL,                  -- steps done
    started_at INTEGER NOT NULL,
    finished_at INTEGER,
    result TEXT NOT NULL DEFAULT '{}',
    PRIMARY KEY (subject, night)
) STRICT, WITHOUT ROWID;

CREATE TABLE condensed_days (
    subject TEXT NOT NULL REFERENCES subjects(id),
    day INTEGER NOT NULL,
    episode TEXT NOT NULL REFERENCES episodes(id),   -- the newest consolidation of that day
    digest BLOB NOT NULL,                   -- of the ids it condensed: another set means a new note
    seen INTEGER NOT NULL,                  -- how many episodes the day had then: more means another look
    PRIMARY KEY (subject, day)
) STRICT, WITHOUT ROWID;

CREATE TABLE verified_files (               -- the last look at a cited file, per episode's evidence
    episode TEXT NOT NULL REFERENCES episodes(id),
    file TEXT NOT NULL,
    result TEXT NOT NULL CHECK (result IN ('holds', 'replaced', 'missing', 'unverifiable')),
    looked_at INTEGER NOT NULL,
    PRIMARY KEY (episode, file)
) STRICT, WITHOUT ROWID;

CREATE TABLE working_sets (                 -- what a greeting needs
    subject TEXT PRIMARY KEY REFERENCES subjects(id),
    made_at INTEGER NOT NULL,
    body TEXT NOT NULL                      -- JSON of ids and counts
) STRICT;

CREATE TABLE self_models (
    subject TEXT PRIMARY KEY REFERENCES subjects(id),
    made_at INTEGER NOT NULL,
    body TEXT NOT NULL
) STRICT;

CREATE TABLE reminders (                    -- when an earlier episode was last brought up by itself
    episode TEXT PRIMARY KEY REFERENCES episodes(id),
    shown_at INTEGER NOT NULL
) STRICT;
