/** Sessions with their records, and the index of their texts. `docs/sqlite.md` describes each column. */
export const sessionsAndRecords = `
  CREATE TABLE identity (token TEXT NOT NULL) STRICT;
  INSERT INTO identity (token) VALUES (lower(hex(randomblob(16))));

  CREATE TABLE sessions (
    no INTEGER PRIMARY KEY AUTOINCREMENT,
    key BLOB NOT NULL,
    header TEXT NOT NULL,
    cwd BLOB,
    parent BLOB,
    next_seq INTEGER NOT NULL,
    last_time INTEGER NOT NULL,
    bytes INTEGER NOT NULL,
    surfaces INTEGER NOT NULL,
    in_turn INTEGER NOT NULL,
    trashed INTEGER NOT NULL,
    epoch INTEGER NOT NULL,
    crc INTEGER NOT NULL
  ) STRICT;
  CREATE UNIQUE INDEX sessions_by_key ON sessions (key) WHERE trashed = 0;
  CREATE INDEX sessions_by_time ON sessions (last_time, key) WHERE trashed = 0;
  CREATE INDEX sessions_by_cwd ON sessions (cwd, last_time, key) WHERE trashed = 0 AND cwd IS NOT NULL;
  CREATE INDEX sessions_by_parent ON sessions (parent, last_time, key) WHERE trashed = 0 AND parent IS NOT NULL;
  CREATE INDEX sessions_in_trash ON sessions (key, trashed) WHERE trashed > 0;

  CREATE TABLE records (
    id INTEGER PRIMARY KEY,
    session INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    count INTEGER NOT NULL,
    time INTEGER NOT NULL,
    surface INTEGER NOT NULL,
    surfaces INTEGER NOT NULL,
    version INTEGER NOT NULL,
    type TEXT NOT NULL,
    crc INTEGER NOT NULL,
    body TEXT NOT NULL
  ) STRICT;
  CREATE UNIQUE INDEX records_by_seq ON records (session, seq);
  CREATE UNIQUE INDEX records_on_surface ON records (session, seq) WHERE surface = 1;
`
