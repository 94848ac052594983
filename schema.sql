-- The memlite file format, version 1.
--
-- Conventions: times are INTEGER milliseconds since 1970-01-01 UTC, within the years 1970 to 9999. Shares are REAL in [0, 1].
-- `rid` is the internal key of a memory: scope * 2^32 + a number that only grows within the scope, so that one user's rows,
-- vectors and FTS entries lie side by side, a full-text query can be held to a user by a range of keys, and a deleted key is
-- never handed to a new memory. Public ids (`mem_…`, `chg_…`) are opaque text that sorts by creation.
--
-- Two halves. CONTENT can't be rebuilt from anything else. DERIVED is rebuilt from CONTENT by `reindex`.

-- ======================================================================================================== CONTENT

-- One row a user. Users are kept apart by their scope number in every key and every query.
create table scopes (
  scope    integer primary key autoincrement check (scope < 16777216),  -- 24 bits, so that rid stays below 2^56
  user_id  text    not null unique,
  next     integer not null default 1 check (next < 4294967296)         -- low half of the next rid; never goes back
) strict;

-- The memories themselves.
create table memories (
  rid              integer primary key,
  id               text    not null unique,                -- mem_…
  scope            integer not null references scopes (scope),
  agent_id         text,                                   -- provenance; a filter when given
  session_id       text,
  seq              integer check (seq >= 0),               -- place of a turn in its session; holes are allowed
  area             text    not null check (area in ('main', 'fragments', 'solutions')),
  kind             text    not null check (kind in ('episodic', 'semantic', 'procedural')),
  granularity      text    not null check (granularity in ('profile', 'rule', 'proposition', 'summary', 'turn')),
  role             text,                                   -- who said it: user, assistant, tool, system or a name
  content          text    not null check (content <> ''),
  subject          text,                                   -- who or what it is about
  keywords         text    check (json_valid(keywords)),   -- JSON array of text
  importance       real    not null check (importance between 0 and 1),
  importance_level integer not null generated always as (cast(round(importance * 10) as integer)) stored,  -- what scoring uses
  confidence       real    not null check (confidence between 0 and 1),
  valence          real    check (valence between -1 and 1),
  origin           text    not null check (origin in ('user_stated', 'user_confirmed', 'agent_inferred', 'reflection',
                                                      'tool_output', 'document', 'import', 'consolidation')),
  status           text    not null check (status in ('active', 'pending', 'quarantined', 'archived', 'superseded')),
  pinned           integer not null check (pinned in (0, 1)),
  created_ms       integer not null check (created_ms between 0 and 253402300799999),
  updated_ms       integer not null check (updated_ms between 0 and 253402300799999),
  occurred_ms      integer not null check (occurred_ms between 0 and 253402300799999),   -- when what it tells happened
  accessed_ms      integer not null check (accessed_ms between 0 and 253402300799999),   -- last recall; starts at occurred
  valid_from_ms    integer check (valid_from_ms between 0 and 253402300799999),
  valid_to_ms      integer check (valid_to_ms between 0 and 253402300799999),
  expires_ms       integer check (expires_ms between 0 and 253402300799999),             -- not returned from then on
  access_count     integer not null check (access_count >= 0),
  decay_per_hour   real    check (decay_per_hour between 0 and 1000),                    -- NULL = the rate of its kind
  version          integer not null check (version >= 1),                               -- grows with each change of the row
  content_hash     blob    not null check (length(content_hash) = 16),                  -- of the normalised text
  flags            text    check (json_valid(flags)),      -- JSON array of text
  metadata         text    check (json_valid(metadata))    -- JSON object, canonical; NULL = {}
) strict;

-- Recency and importance in order, whatever the weights: one stream for each kind and level (see recall.sql). A memory with a
-- rate of forgetting of its own is in none of them.
create index memories_accessed on memories (scope, status, kind, importance_level, (decay_per_hour is not null), accessed_ms desc);
create index memories_occurred on memories (scope, status, kind, importance_level, (decay_per_hour is not null), occurred_ms desc);
create index memories_own_rate on memories (scope, status) where decay_per_hour is not null;
-- Rows a plain search must not show; usually a short list.
create index memories_hidden   on memories (scope, status, expires_ms) where status <> 'active' or expires_ms is not null;
create index memories_session  on memories (scope, session_id, seq) where session_id is not null;
create index memories_text     on memories (scope, area, content_hash);

-- Embedding spaces: which model made which vectors.
create table spaces (
  space            integer primary key check (space between 1 and 127),
  model            text    not null,
  dimension        integer not null check (dimension between 8 and 4096 and dimension % 8 = 0),  -- numbers in a vector
  model_sha256     text    not null,
  tokenizer_sha256 text    not null,
  max_tokens       integer not null check (max_tokens >= 0),            -- text past them is not in the vector
  languages        text    not null check (json_valid(languages)),      -- JSON array of ISO 639-1 codes
  max_unknown      real    not null check (max_unknown between 0 and 1),-- a text with more unknown tokens gets no vector
  thresholds       text    not null check (json_valid(thresholds)),     -- JSON object: name -> relevance
  active           integer not null check (active in (0, 1)),           -- 1 = searched and written
  created_ms       integer not null
) strict;

-- The vectors: the truth that the vec0 index is made of. A memory its space does not cover has no row.
create table embeddings (
  key       integer primary key,                           -- space * 2^56 + rid: a space and a user lie side by side
  v         blob    not null,                              -- float32 little-endian, length 1
  hash      blob    not null check (length(hash) = 16),    -- SHA-256 of v, first 16 bytes
  truncated integer not null check (truncated in (0, 1))   -- 1 = v covers only the beginning of the text
) strict;

-- What became of what.
create table lineage (
  child    text not null,                                  -- memories.id; either side may be gone
  parent   text not null,
  relation text not null check (relation in ('merged_from', 'replaced', 'updated_from', 'evidence_of', 'contradicts')),
  primary key (child, parent, relation)
) strict, without rowid;
create index lineage_parent on lineage (parent);

-- The audit. A run is one change: one call, one transaction.
create table runs (
  run             integer primary key autoincrement,
  change_id       text    not null unique,                 -- chg_…
  scope           integer not null references scopes (scope),
  verb            text    not null,                        -- add, update, delete, delete_all, move, undo, redo, …
  at_ms           integer not null,
  undoes          integer references runs (run),           -- the run this one took back
  idempotency_key text,
  request_hash    blob                                     -- SHA-256 of the request the key stood for
) strict;
create index        runs_scope       on runs (scope);
create index        runs_undoes      on runs (undoes) where undoes is not null;
create unique index runs_idempotency on runs (scope, idempotency_key) where idempotency_key is not null;

-- What a run did to each memory, in a chain of hashes: a row that is changed, taken out or swapped breaks it there.
create table actions (
  action       integer primary key autoincrement,
  run          integer not null references runs (run),
  memory_id    text    not null,
  event        text    not null check (event in ('ADD', 'UPDATE', 'DELETE', 'NONE')),
  reason       text,                                       -- code of the rule that decided, where one did
  ruling       text    check (json_valid(ruling)),         -- JSON: requested and applied action, decider, prompt, what was offered
  after_hash   blob,                                       -- row, user, vectors and links afterwards; NULL = it is gone
  payload_hash blob,                                       -- of the payload, salt included
  hash         blob    not null                            -- SHA-256 over the hash before it, this row, its run and user
) strict;
create index actions_run    on actions (run);
create index actions_memory on actions (memory_id);

-- Everything in the audit that may quote a memory: deletable without breaking the chain.
create table payloads (
  action     integer primary key references actions (action),
  rid        integer not null,                             -- whose text it quotes
  salt       blob    not null,                             -- so that the hash left behind can't be guessed back
  image      text,                                         -- JSON: the row and its links before the change
  vectors    blob,                                         -- its vectors before the change
  told       text    check (json_valid(told)),             -- JSON: reasoning, a model's reply, a rejected text
  expires_ms integer,                                      -- dropped from then on; NULL = as history_days says
  state      text    not null check (state in ('kept', 'erased', 'expired'))
) strict;
create index payloads_rid     on payloads (rid);
create index payloads_expires on payloads (expires_ms) where expires_ms is not null;

-- Turns that wait to be distilled. They are queued in the transaction that stores them, so none is forgotten by a crash.
create table inbox (
  item       integer primary key autoincrement,            -- the order they are read in
  scope      integer not null references scopes (scope),
  session_id text,                                         -- one session is read by one process at a time, in order
  turns      text    not null check (json_valid(turns)),   -- JSON array of memories.id
  options    text    not null check (json_valid(options)), -- JSON object: how what is found in them is stored
  queued_ms  integer not null,
  attempts   integer not null check (attempts >= 0),       -- in vain so far
  failed     text                                          -- code of the last failure
) strict;
create index inbox_session on inbox (scope, session_id, item);

-- Who may work on something for now. The token grows with each holder and is checked inside every change made under the lease,
-- so that one who was held up and comes back late changes nothing.
create table leases (
  name       text    primary key,
  holder     text    not null,                             -- empty: free
  token      integer not null,
  expires_ms integer not null
) strict;

-- What was recalled of late: an assistant that repeats it says nothing new. Bounded; the oldest go.
create table recall_log (
  rid   integer primary key,
  at_ms integer not null
) strict;

-- ======================================================================================================== DERIVED

-- Text for the full-text index where it differs from the memory's own: CJK cut into pairs of characters.
create table memory_terms (
  rid     integer primary key,
  content text not null
) strict;

-- What the full-text index holds: a memory's words, and those of up to two turns before and after it in its session.
create view fts_source as
select m.rid as rid,
       coalesce(t.content, m.content) as content,
       (select group_concat(coalesce(nt.content, n.content), ' ' order by n.seq)
          from memories n left join memory_terms nt on nt.rid = n.rid
         where n.scope = m.scope and n.session_id = m.session_id and n.seq between m.seq - 2 and m.seq + 2
           and n.seq <> m.seq and n.status = 'active') as context
  from memories m left join memory_terms t on t.rid = m.rid;

create virtual table memories_fts using fts5 (
  content, context, content='fts_source', content_rowid='rid', tokenize='porter unicode61'
);

-- Metadata flattened for filters: one row a scalar; nested keys are joined by dots, arrays give one row an element, null none.
create table meta_kv (
  scope integer not null,
  key   text    not null,
  value any     not null,
  rid   integer not null,
  primary key (scope, key, value, rid)
) strict, without rowid;
create index meta_kv_rid on meta_kv (rid);

-- Besides, for each space N a vec0 table made with the space (see queries.sql, create_vectors):
--   vec_N (rowid = rid, scope partition key, v bit[dimension], chunk_size = 64)
-- which holds the sign bits of the active memories' vectors.
