-- Statements by name. `vec_N` stands for the vec0 table of a space. Lists of keys come in as JSON.
-- A key range (:low, :high) is a user's: rid = scope * 2^32 + a number (see schema.sql).

-- ------------------------------------------------------------------------------------------------ users and spaces

-- name: scope_of
select scope from scopes where user_id = :user_id;

-- name: add_scope
insert into scopes (user_id) values (:user_id) returning scope;

-- name: reserve_rids
-- Numbers only grow, so a deleted memory's key never comes back under another text.
update scopes set next = next + :count where scope = :scope returning next - :count;

-- name: all_users
select s.user_id, count(m.rid), max(m.updated_ms)
  from scopes s left join memories m on m.scope = s.scope
 group by s.scope having count(m.rid) > 0 order by s.user_id;

-- name: all_sessions
select session_id, count(*), sum(granularity = 'turn'), min(occurred_ms), max(occurred_ms)
  from memories where scope = :scope and session_id is not null
 group by session_id order by max(occurred_ms) desc, session_id;

-- name: next_seq
select coalesce(max(seq), -1) + 1 from memories where scope = :scope and session_id = :session_id;

-- name: last_turns
select * from memories
 where scope = :scope and session_id = :session_id and granularity = 'turn' and status = 'active'
 order by seq desc limit :limit;

-- name: active_space
select * from spaces where active = 1 order by space limit 1;

-- name: active_fingerprint
-- As `SpaceInfo.fingerprint` puts it.
select space, model_sha256 || ':' || tokenizer_sha256 || ':' || dimension || ':' || max_tokens
  from spaces where active = 1 order by space limit 1;

-- name: next_space
select coalesce(max(space), 0) + 1 from spaces;

-- name: add_space
insert into spaces (space, model, dimension, model_sha256, tokenizer_sha256, max_tokens, languages, max_unknown, thresholds,
                    active, created_ms)
values (:space, :model, :dimension, :model_sha256, :tokenizer_sha256, :max_tokens, :languages, :max_unknown, :thresholds, 1,
        :now_ms);

-- ------------------------------------------------------------------------------------------------ memories

-- name: by_ids
select m.* from json_each(:ids) j cross join memories m on m.id = j.value where m.scope = :scope order by j.key;

-- name: by_id
select m.*, s.user_id from memories m join scopes s on s.scope = m.scope where m.id = :id;

-- name: rids_of
select m.rid from json_each(:ids) j cross join memories m on m.id = j.value where m.scope = :scope;

-- name: same_text
select id, content from memories
 where scope = :scope and area = :area and content_hash = :content_hash and status = 'active'
   and (expires_ms is null or expires_ms > :now_ms)
 order by rid limit 1;

-- name: insert_memory
insert into memories (rid, id, scope, agent_id, session_id, seq, area, kind, granularity, role, content, subject, keywords,
                      importance, confidence, valence, origin, status, pinned, created_ms, updated_ms, occurred_ms, accessed_ms,
                      valid_from_ms, valid_to_ms, expires_ms, access_count, decay_per_hour, version, content_hash, flags, metadata)
values (:rid, :id, :scope, :agent_id, :session_id, :seq, :area, :kind, :granularity, :role, :content, :subject, :keywords,
        :importance, :confidence, :valence, :origin, :status, :pinned, :created_ms, :updated_ms, :occurred_ms, :accessed_ms,
        :valid_from_ms, :valid_to_ms, :expires_ms, :access_count, :decay_per_hour, :version, :content_hash, :flags, :metadata);

-- name: update_memory
update memories
   set agent_id = :agent_id, session_id = :session_id, seq = :seq, area = :area, kind = :kind, granularity = :granularity,
       role = :role, content = :content, subject = :subject, keywords = :keywords, importance = :importance,
       confidence = :confidence, valence = :valence, origin = :origin, status = :status, pinned = :pinned,
       updated_ms = :updated_ms, occurred_ms = :occurred_ms, accessed_ms = :accessed_ms, valid_from_ms = :valid_from_ms,
       valid_to_ms = :valid_to_ms, expires_ms = :expires_ms, decay_per_hour = :decay_per_hour, version = :version,
       content_hash = :content_hash, flags = :flags, metadata = :metadata
 where rid = :rid and scope = :scope;

-- name: delete_memory
delete from memories where rid = :rid and scope = :scope;

-- name: touch
-- A recall refreshes recency; a clock that stepped back must not age a memory.
update memories set accessed_ms = max(accessed_ms, :at_ms), access_count = access_count + :times where rid = :rid;

-- name: log_recall
insert into recall_log (rid, at_ms) values (:rid, :at_ms) on conflict (rid) do update set at_ms = max(at_ms, excluded.at_ms);

-- name: trim_recall_log
delete from recall_log where at_ms < (select at_ms from recall_log order by at_ms desc limit 1 offset 999);

-- name: recalled
select m.* from (select rid, at_ms from recall_log where rid between :low and :high and at_ms >= :since_ms
                 union all select value, 9e15 from json_each(:fresh) where value between :low and :high) l
 cross join memories m on m.rid = l.rid
 where m.granularity <> 'turn' group by m.rid order by max(l.at_ms) desc, m.rid limit :limit;

-- name: around
-- The rows whose full-text entry quotes these places: [session, first seq, last seq] each, and two turns to both sides.
select n.rid
  from json_each(:places) p
 cross join memories n on n.scope = :scope and n.session_id = p.value ->> 0
                      and n.seq between (p.value ->> 1) - 2 and (p.value ->> 2) + 2;

-- ------------------------------------------------------------------------------------------------ vectors and words

-- name: insert_embedding
insert into embeddings (key, v, hash, truncated) values (:key, :v, :hash, :truncated);

-- name: delete_embedding
delete from embeddings where key = :key;

-- name: embedding
select v, hash, truncated from embeddings where key = :key;

-- name: insert_vector
insert into vec_N (rowid, scope, v) values (:rid, :scope, vec_quantize_binary(:v));

-- name: delete_vector
delete from vec_N where rowid = :rid;

-- name: insert_terms
insert into memory_terms (rid, content) values (:rid, :content);

-- name: delete_terms
delete from memory_terms where rid = :rid;

-- name: index_words
insert into memories_fts (rowid, content, context)
select s.rid, s.content, s.context from json_each(:rids) j cross join fts_source s on s.rid = j.value;

-- name: unindex_words
-- FTS5 must be told the old words; they are what the view still shows.
insert into memories_fts (memories_fts, rowid, content, context)
select 'delete', s.rid, s.content, s.context from json_each(:rids) j cross join fts_source s on s.rid = j.value;

-- name: insert_meta
insert or ignore into meta_kv (scope, key, value, rid) values (:scope, :key, :value, :rid);

-- name: delete_meta
delete from meta_kv where rid = :rid;

-- ------------------------------------------------------------------------------------------------ lineage

-- name: citing
select distinct m.* from json_each(:turns) j
 cross join lineage l on l.parent = j.value and l.relation = 'evidence_of'
 cross join memories m on m.id = l.child
 where m.scope = :scope order by m.rid;

-- name: links_of
-- A memory's links are those to what it was made of; they outlive it, so that its parents' successors are found.
select child, parent, relation from lineage where child = :id order by 1, 2, 3;

-- name: successors
select child from lineage where parent = :id and relation in ('merged_from', 'replaced') order by child;

-- name: insert_link
insert or ignore into lineage (child, parent, relation) values (:child, :parent, :relation);

-- name: delete_links
delete from lineage where child = :id;

-- ------------------------------------------------------------------------------------------------ audit

-- name: last_action
select action, hash from actions order by action desc limit 1;

-- name: insert_run
insert into runs (change_id, scope, verb, at_ms, undoes, idempotency_key, request_hash)
values (:change_id, :scope, :verb, :at_ms, :undoes, :idempotency_key, :request_hash) returning run;

-- name: insert_action
insert into actions (action, run, memory_id, event, reason, ruling, after_hash, payload_hash, hash)
values (:action, :run, :memory_id, :event, :reason, :ruling, :after_hash, :payload_hash, :hash);

-- name: insert_payload
insert into payloads (action, rid, salt, image, vectors, told, expires_ms, state)
values (:action, :rid, :salt, :image, :vectors, :told, :expires_ms, 'kept');

-- name: run_by_change
select run, change_id, verb, at_ms, undoes from runs where scope = :scope and change_id = :change_id;

-- name: run_by_key
select run, change_id, request_hash from runs where scope = :scope and idempotency_key = :key;

-- name: undo_tree
-- A run, the runs that took it back, those that took these back, and so on.
with recursive tree (run, change_id, undoes) as (
  select run, change_id, undoes from runs where run in (select value from json_each(:runs))
  union select u.run, u.change_id, u.undoes from tree join runs u on u.undoes = tree.run)
select run, change_id, undoes from tree order by run;

-- name: actions_of
select a.action, a.memory_id, a.event, a.reason, a.ruling, a.after_hash, a.payload_hash, p.rid, p.salt,
       cast(p.image as blob) as image, p.vectors, cast(p.told as blob) as told, p.state
  from actions a left join payloads p on p.action = a.action
 where a.run = :run order by a.action;

-- name: later_runs
-- Later changes of the same memories, newest first.
select distinct r.run, r.change_id, r.scope, r.undoes
  from actions mine
  join actions theirs on theirs.memory_id = mine.memory_id and theirs.run > :run and theirs.event <> 'NONE'
  join runs r on r.run = theirs.run
 where mine.run = :run and mine.event <> 'NONE' order by r.run desc;

-- name: changes
select r.run, r.change_id, r.verb, r.at_ms, u.change_id
  from runs r left join runs u on u.run = r.undoes
 where r.scope = :scope and r.run < :before order by r.run desc limit :limit;

-- name: events_of
select a.run, a.memory_id, a.event from json_each(:runs) j cross join actions a on a.run = j.value order by a.action;

-- name: history
select a.action, r.change_id, r.verb, r.at_ms, a.event, a.reason, a.ruling, p.image, p.told, p.state
  from actions a join runs r on r.run = a.run left join payloads p on p.action = a.action
 where a.memory_id = :id
   and (r.scope = :scope or exists (select 1 from memories m where m.id = :id and m.scope = :scope)) order by a.action;

-- name: decided
-- Each run is walked from its end, so that a page needs no sorting.
select a.action, a.run, r.change_id, r.verb, r.at_ms, a.memory_id, a.event, a.reason, a.ruling, p.image, p.told
  from runs r cross join actions a on a.run = r.run left join payloads p on p.action = a.action
 where r.scope = :scope and a.action < :before and a.event <> 'NONE' and a.ruling is not null
 order by r.run desc, a.action desc limit :limit;

-- name: rejected
-- A dropped payload no longer tells what it held; among the notes of a distilling only those of rejected texts have one.
select a.action, a.run, r.change_id, r.verb, r.at_ms, a.memory_id, a.event, a.reason, p.told
  from runs r cross join actions a on a.run = r.run cross join payloads p on p.action = a.action
 where r.scope = :scope and r.verb = 'distil' and a.action < :before and a.event = 'NONE' and a.ruling is null
   and (p.state <> 'kept' or p.told ->> 'rejected' is not null)
 order by r.run desc, a.action desc limit :limit;

-- name: image_after
select p.image from actions a left join payloads p on p.action = a.action
 where a.memory_id = :id and a.action > :action and a.event <> 'NONE' order by a.action limit 1;

-- name: expire_due
update payloads set image = null, vectors = null, told = null, expires_ms = null, state = 'expired' where expires_ms <= :now_ms;

-- name: expire_payloads
update payloads set image = null, vectors = null, told = null, state = 'expired'
 where state = 'kept' and action in (select a.action from actions a join runs r on r.run = a.run where r.at_ms < :before_ms);

-- ------------------------------------------------------------------------------------------------ waiting turns

-- name: enqueue
insert into inbox (scope, session_id, turns, options, queued_ms, attempts)
values (:scope, :session_id, :turns, :options, :now_ms, 0) returning item;

-- name: waiting
-- What waits, oldest first: of one user or, without one, of all.
select i.item, s.user_id, i.session_id, i.turns, i.options, i.attempts
  from inbox i join scopes s on s.scope = i.scope
 where (:scope is null or i.scope = :scope) order by i.item limit :limit;

-- name: next_of_session
select i.item, s.user_id, i.session_id, i.turns, i.options, i.attempts
  from inbox i join scopes s on s.scope = i.scope
 where i.scope = :scope and i.session_id is :session_id and i.item >= :item order by i.item limit 1;

-- name: count_waiting
select count(*) from inbox where :scope is null or scope = :scope;

-- name: finish_item
delete from inbox where item = :item;

-- name: fail_item
update inbox set attempts = attempts + 1, failed = :code where item = :item;

-- name: acquire_lease
-- None where another holds it. The last condition frees one left in the far future by a clock that was set back.
insert into leases (name, holder, token, expires_ms) values (:name, :holder, 1, :now_ms + :ttl_ms)
on conflict (name) do update set holder = excluded.holder, token = leases.token + 1, expires_ms = excluded.expires_ms
 where leases.holder = '' or leases.expires_ms <= :now_ms or leases.expires_ms > :now_ms + 10 * :ttl_ms returning token;

-- name: renew_lease
update leases set expires_ms = :now_ms + :ttl_ms where name = :name and token = :token and holder <> '';

-- name: release_lease
-- The row stays: its token must not start again.
update leases set holder = '', expires_ms = 0 where name = :name and token = :token;

-- name: lease_holds
select 1 from leases where name = :name and token = :token and holder <> '';

-- ------------------------------------------------------------------------------------------------ listing and counting

-- name: count_scope
select count(*) from memories where scope = :scope and status = 'active';

-- name: count_few
-- Whether a user has few memories: counted no further than to :most.
select count(*) from (select 1 from memories where scope = :scope and status = 'active' limit :most);

-- name: all_bits
-- The + keeps the comparison without an affinity: vec0's rowid column has no type, and an integer on the other side makes each
-- chunk a scan of all chunks.
select c.rowids, c.validity, v.vectors
  from vec_N_chunks c left join vec_N_vector_chunks00 v on v.rowid = +c.chunk_id where c.partition00 = :scope order by c.chunk_id;

-- name: term_counts
-- For each query term: how many of the user's memories hold it.
select j.key, (select count(*) from memories_fts where memories_fts match 'content : ' || j.value and rowid between :low and :high)
  from json_each(:terms) j;

-- name: clear_hits
insert into temp.hit_words (hit_words) values ('delete-all');

-- name: index_hits
-- The words of these memories, as memories_fts holds them, in an index of just these: asked there for a term at one row after the
-- other, FTS5 opens its index anew for each, which for ten rows takes as long as finding them by their vectors.
insert into temp.hit_words (rowid, content)
select m.rid, coalesce(t.content, m.content)
  from json_each(:rids) j cross join memories m on m.rid = j.value left join memory_terms t on t.rid = m.rid;

-- name: term_hits
-- Which terms stand in which of the memories just indexed.
select w.rowid, j.key from json_each(:terms) j cross join temp.hit_words w where w.hit_words match j.value;

-- name: stats
select area, kind, status, granularity, count(*), sum(length(cast(content as blob))), min(created_ms), max(updated_ms)
  from memories where (:scope is null or scope = :scope) group by area, kind, status, granularity;

-- name: count_embeddings
select count(*) from embeddings where key between :low and :high;

-- name: count_runs
select count(*), (select count(*) from payloads where state = 'kept') from runs;

-- ------------------------------------------------------------------------------------------------ upkeep

-- What the doctor walks through comes as bytes where it is text: one that is no UTF-8 must not end the walk.

-- name: rebuild_indexes
reindex;

-- name: clear_terms
delete from memory_terms;

-- name: clear_meta
delete from meta_kv;

-- name: clear_words_settings
delete from memories_fts_config;

-- name: insert_words_settings
-- Without it FTS5 refuses even to be rebuilt or dropped.
insert into memories_fts_config (k, v) values ('version', 4);

-- name: words_settings
select count(*) filter (where k = 'version' and v = 4), count(*) from memories_fts_config;

-- name: rebuild_words
insert into memories_fts (memories_fts) values ('rebuild');

-- name: merge_words
insert into memories_fts (memories_fts) values ('optimize');

-- name: check_words
insert into memories_fts (memories_fts, rank) values ('integrity-check', 1);

-- name: drop_vectors
drop table if exists vec_N;

-- name: fill_vectors
insert into vec_N (rowid, scope, v)
select m.rid, m.rid >> 32, vec_quantize_binary(e.v)
  from memories m cross join embeddings e on e.key = :space_key + m.rid
 where m.status = 'active' and length(e.v) = 4 * :dimension order by m.rid;

-- name: each_space
select space, dimension from spaces order by space;

-- name: pages
-- Not quick_check, which does not hold indexes against their tables.
pragma integrity_check;

-- name: foreign_keys_broken
pragma foreign_key_check;

-- name: wrong_scope
select count(*) from memories where scope <> rid >> 32;

-- name: keys_given_out_again
-- Users whose counter is not past every key that a memory has or had.
select count(*) from scopes s
 where s.next <= (select max(m.rid) from memories m where m.rid between s.scope << 32 and (s.scope << 32) + 4294967295) & 4294967295
    or s.next <= (select max(p.rid) from payloads p where p.rid between s.scope << 32 and (s.scope << 32) + 4294967295) & 4294967295;

-- name: each_name
select cast(user_id as blob) from scopes
union all select cast(child || ' ' || parent || ' ' || relation as blob) from lineage;

-- name: each_model
select space, cast(model || ' ' || model_sha256 || ' ' || tokenizer_sha256 as blob), cast(languages as blob), cast(thresholds as blob)
  from spaces order by space;

-- name: vectors_without_memory
select count(*) from embeddings e where not exists (select 1 from memories m where m.rid = e.key & 72057594037927935);

-- name: vectors_without_space
select count(*) from embeddings e where not exists (select 1 from spaces s where s.space = e.key >> 56);

-- name: each_memory
-- A row for each memory and space: the memory, what the audit says it is, and its vector in that space if it has one.
select (select a.after_hash from actions a join runs r on r.run = a.run
         where a.memory_id = m.id and a.event <> 'NONE' order by a.action desc limit 1) as after_hash,
       exists (select 1 from lineage where child = m.id) as linked,
       s.space, s.dimension, e.v, e.hash, e.truncated, cast((select user_id from scopes u where u.scope = m.scope) as blob) as user_id,
       m.rid, cast(m.id as blob) as id, m.scope, cast(m.agent_id as blob) as agent_id, cast(m.session_id as blob) as session_id,
       m.seq, cast(m.area as blob) as area, cast(m.kind as blob) as kind, cast(m.granularity as blob) as granularity,
       cast(m.role as blob) as role, cast(m.content as blob) as content, cast(m.subject as blob) as subject,
       cast(m.keywords as blob) as keywords, m.importance, m.confidence, m.valence, cast(m.origin as blob) as origin,
       cast(m.status as blob) as status, m.pinned, m.created_ms, m.updated_ms, m.occurred_ms, m.accessed_ms, m.valid_from_ms,
       m.valid_to_ms, m.expires_ms, m.access_count, m.decay_per_hour, m.version, m.content_hash, cast(m.flags as blob) as flags,
       cast(m.metadata as blob) as metadata
  from memories m left join spaces s left join embeddings e on e.key = (s.space << 56) + m.rid
 order by m.rid, s.space;

-- name: each_link_of
select cast(child as blob), cast(parent as blob), cast(relation as blob)
  from lineage where child = (select id from memories where rid = :rid)
 order by child, parent, relation;

-- name: each_action
select a.action, a.run, cast(a.memory_id as blob) as memory_id, cast(a.event as blob) as event, cast(a.reason as blob) as reason,
       cast(a.ruling as blob) as ruling, a.after_hash, a.payload_hash, a.hash, cast(r.change_id as blob) as change_id, r.scope,
       cast(s.user_id as blob) as user_id, cast(r.verb as blob) as verb, r.at_ms, r.undoes,
       cast(r.idempotency_key as blob) as idempotency_key, r.request_hash, p.rid, p.salt, cast(p.image as blob) as image,
       p.vectors, cast(p.told as blob) as told, cast(p.state as blob) as state
  from actions a join runs r on r.run = a.run left join scopes s on s.scope = r.scope left join payloads p on p.action = a.action
 order by a.action;

-- name: runs_without_action
select count(*) from runs r where not exists (select 1 from actions a where a.run = r.run);

-- name: payloads_without_action
select count(*) from payloads p where not exists (select 1 from actions a where a.action = p.action);

-- name: each_missing
-- Memories that are there by the audit, but not in the table.
select cast(a.memory_id as blob) from actions a join runs r on r.run = a.run
 where a.after_hash is not null and a.event <> 'NONE' and not exists (select 1 from memories m where m.id = a.memory_id)
   and not exists (select 1 from actions b where b.memory_id = a.memory_id and b.action > a.action and b.event <> 'NONE')
 order by a.action;

-- name: each_text
select rid, cast(content as blob) from memories order by rid;

-- name: each_terms
select rid, cast(content as blob) from memory_terms order by rid;

-- name: each_metadata
select rid, cast(metadata as blob) from memories where metadata is not null order by rid;

-- name: each_meta
select rid, scope, cast(key as blob), typeof(value) = 'text', case typeof(value) when 'text' then cast(value as blob) else value end
  from meta_kv order by rid;

-- name: words_missing
select (select count(*) from memories m where not exists (select 1 from memories_fts_docsize d where d.id = m.rid))
     + (select count(*) from memories_fts_docsize d where not exists (select 1 from memories m where m.rid = d.id));

-- name: has_vectors
select count(*) from sqlite_schema where type = 'table' and name = 'vec_N';

-- name: vectors_not_indexed
select count(*) from memories m cross join embeddings e on e.key = :space_key + m.rid
 where m.status = 'active' and length(e.v) = 4 * :dimension and not exists (select 1 from vec_N_rowids r where r.rowid = m.rid);

-- name: index_without_vector
select count(*) from vec_N_rowids r
 where not exists (select 1 from embeddings e join memories m on m.rid = r.rowid and m.status = 'active'
                    where e.key = :space_key + r.rowid and length(e.v) = 4 * :dimension);

-- name: count_entries
-- The table with whole keys leaves `id` empty.
select count(*) from vec_N_rowids where id is null;

-- name: each_chunk
-- vec0 finds a chunk's vectors by their true rowid; the column that has its name must say the same.
select c.chunk_id, c.size, c.partition00, c.validity, c.rowids, v.vectors
  from vec_N_chunks c left join vec_N_vector_chunks00 v on v._rowid_ = c.chunk_id and v.rowid = c.chunk_id order by c.chunk_id;

-- name: each_place
-- Where these entries of the index should be, and the vector they stand for.
select r.chunk_id, r.chunk_offset, e.v
  from json_each(:rids) j left join vec_N_rowids r on r.rowid = j.value
  left join embeddings e on e.key = :space_key + j.value and length(e.v) = 4 * :dimension order by j.key;

-- name: swept
-- What a sweep may change, by key: what is written meanwhile comes later.
select m.* from memories m
 where m.rid > :after and m.rid <= :high and m.status = 'active' and m.granularity <> 'turn' and m.pinned = 0
   and (:area is null or m.area = :area) and (m.expires_ms is null or m.expires_ms > :now_ms)
 order by m.rid limit :limit;

-- name: count_swept
select count(*) from memories m
 where m.rid between :low and :high and m.status = 'active' and m.granularity <> 'turn'
   and (:area is null or m.area = :area) and (m.expires_ms is null or m.expires_ms > :now_ms);

-- name: page
-- Newest first, by key: a page is not moved by what is written meanwhile. No :now_ms = expired ones too.
select m.* from memories m
 where m.rid between :low and :high and m.rid < :before and (:status = 'any' or m.status = :status)
   and (:now_ms is null or m.expires_ms is null or m.expires_ms > :now_ms) @filter@
 order by m.rid desc limit :limit;
