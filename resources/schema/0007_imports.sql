-- Subjects into which events were imported whose beliefs and map are still to follow: what an import does at its end,
-- or, when it was ended before, the next start.

CREATE TABLE unsettled (
    subject TEXT PRIMARY KEY REFERENCES subjects(id)
) STRICT, WITHOUT ROWID;
