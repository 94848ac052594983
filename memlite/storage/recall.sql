-- Recall: one statement, put together from these parts by search.py (constants only; values are always bound).
--
--   score = :alpha * relevance + :beta * exp(-decay * age_hours) + :gamma * importance_level / 10
--
-- `hidden` is what a search must not show, `pool` (exact recall) every memory in play. `dense`, `lexical` and `fixed` (the best by
-- recency and importance alone) name candidates; `rel` gives them their relevance, `scored` their score.
-- MATERIALIZED and CROSS JOIN hold the plan: without them the legs run twice.
-- @age@ stands for accessed_ms or occurred_ms, @filter@ for the compiled filter or nothing, @cosine@ for the cosine of vector e and
-- the query's, or null where the query has none.

-- name: hidden
-- Rows that are not active or have expired; a short list, from an index of its own.
hidden (rid) as materialized (
  select rid from memories indexed by memories_hidden
   where scope = :scope and (status <> 'active' or expires_ms is not null) and (status <> 'active' or expires_ms <= :now_ms))

-- name: pool_scope
-- In the order of keys, so that vectors are read page after page.
pool (rid) as materialized (
  select rid from memories indexed by memories_@age_index@
   where scope = :scope and status = 'active' and rid not in (select rid from hidden) order by rid)

-- name: pool_picked
pool (rid) as materialized (select rid from temp.picked order by rid)

-- name: dense_near
-- Sign bits first: the vectors nearest by these, which search.py lists, are compared by their true cosine.
near (rid) as materialized (select value from json_each(:near)),
dense (rid, cosine) as materialized (
  select near.rid, 1 - vec_distance_cosine(e.v, :q) as cosine
    from near cross join embeddings e on e.key = :space_key + near.rid
   where near.rid not in (select rid from hidden) order by cosine desc, near.rid limit :dense_k)

-- name: dense_near_filtered
near (rid) as materialized (select value from json_each(:near)),
dense (rid, cosine) as materialized (
  select near.rid, 1 - vec_distance_cosine(e.v, :q) as cosine
    from near cross join memories m on m.rid = near.rid cross join embeddings e on e.key = :space_key + near.rid
   where near.rid not in (select rid from hidden) @filter@ order by cosine desc, near.rid limit :dense_k)

-- name: dense_pool
dense (rid, cosine) as materialized (
  select pool.rid, 1 - vec_distance_cosine(e.v, :q) as cosine
    from pool cross join embeddings e on e.key = :space_key + pool.rid
   order by cosine desc, pool.rid limit :dense_k)

-- name: dense_none
dense (rid, cosine) as materialized (select null, null where 0)

-- name: lexical_scope
-- The key range holds FTS5 to this user's part of each word's list. Where nothing is hidden, no match is looked up among it.
lexical (rid, bm25) as materialized (
  select rowid, -bm25(memories_fts, 3.0, 1.0) as bm25 from memories_fts
   where memories_fts match :match and rowid between :low and :high
     and (not exists (select 1 from hidden) or +rowid not in (select rid from hidden))
   order by bm25 desc, rowid limit :legs)

-- name: lexical_filtered
lexical (rid, bm25) as materialized (
  select m.rid, -bm25(memories_fts, 3.0, 1.0) as bm25
    from memories_fts cross join memories m on m.rid = memories_fts.rowid
   where memories_fts match :match and memories_fts.rowid between :low and :high
     and m.rid not in (select rid from hidden) @filter@
   order by bm25 desc, m.rid limit :legs)

-- name: lexical_pool
lexical (rid, bm25) as materialized (
  select rowid, -bm25(memories_fts, 3.0, 1.0) as bm25 from memories_fts
   where memories_fts match :match and rowid between :low and :high and +rowid in (select rid from pool)
   order by bm25 desc, rowid limit :legs)

-- name: lexical_none
lexical (rid, bm25) as materialized (select null, null where 0)

-- name: fixed_walk
-- Within one kind and level the order by recency and importance is the order by time, whatever the weights, and an index keeps
-- it. These streams are merged: the queue of a recursive query gives its best row first, and each row that is taken brings in the
-- next of its stream. A memory with a rate of its own is in no stream; the best of those join the queue, and nothing follows them.
level (j) as (values (0), (1), (2), (3), (4), (5), (6), (7), (8), (9), (10)),
kinds (kind) as (values ('episodic'), ('semantic'), ('procedural')),
own (rid, value) as (
  select m.rid, @static@ as value from memories m indexed by memories_own_rate
   where m.scope = :scope and m.status = 'active' and m.decay_per_hour is not null
     and m.rid not in (select rid from hidden) @filter@
   order by value desc, m.rid limit :fixed),
walk (rid, kind, j, at_ms, value) as (
  select m.rid, m.kind, m.importance_level, m.@age@, @static@ as value
    from kinds cross join level cross join memories m on m.rid = (
      select m.rid from memories m indexed by memories_@age_index@
       where m.scope = :scope and m.status = 'active' and m.kind = kinds.kind and m.importance_level = level.j
         and (m.decay_per_hour is not null) = 0 and m.rid not in (select rid from hidden) @filter@
       order by m.@age@ desc, m.rid limit 1)
  union all
  select rid, null, null, null, value from own
  union all
  select m.rid, m.kind, m.importance_level, m.@age@, @static@
    from walk cross join memories m on m.rid = (
      select m.rid from memories m indexed by memories_@age_index@
       where m.scope = :scope and m.status = 'active' and m.kind = walk.kind and m.importance_level = walk.j
         and (m.decay_per_hour is not null) = 0 and m.@age@ <= walk.at_ms and (m.@age@ < walk.at_ms or m.rid > walk.rid)
         and m.rid not in (select rid from hidden) @filter@
       order by m.@age@ desc, m.rid limit 1)
   order by value desc limit :fixed),
fixed (rid) as materialized (select rid from walk)

-- name: fixed_pool
fixed (rid) as materialized (
  select m.rid from pool cross join memories m on m.rid = pool.rid order by @static@ desc, m.id limit :fixed)

-- name: fixed_none
fixed (rid) as materialized (select null where 0)

-- name: spans
-- A word's worth is counted from 0, as bm25 gives it; the best counts 1.
lexical_best (bm25) as materialized (select max(bm25) from lexical),
lexical_part (rid, bm25, part) as materialized (select l.rid, l.bm25, l.bm25 / b.bm25 from lexical l, lexical_best b)

-- name: rel_fused
-- A cosine is counted from :noise, that of texts with nothing in common. It counts for whatever either leg found, not for its own
-- finds alone: what the words found may be near as well.
found (rid) as materialized (select rid from dense union select rid from lexical),
seen (rid, cosine, bm25, lexical_part) as materialized (
  select f.rid, @cosine@, l.bm25, coalesce(l.part, 0.0)
    from found f left join lexical_part l on l.rid = f.rid left join embeddings e on e.key = :space_key + f.rid),
nearest (cosine) as materialized (select max(cosine) from seen),
placed (rid, cosine, bm25, dense_part, lexical_part) as (
  select s.rid, s.cosine, s.bm25,
         iif(n.cosine > :noise and s.cosine > :noise, (s.cosine - :noise) / (n.cosine - :noise), 0.0), s.lexical_part
    from seen s cross join nearest n
  union all select rid, null, null, 0.0, 0.0 from fixed where rid not in (select rid from found)),
rel (rid, cosine, bm25, dense_part, lexical_part, relevance) as materialized (
  select rid, cosine, bm25, dense_part, lexical_part, min(1.0, :dense_share * dense_part + :lexical_share * lexical_part) from placed)

-- name: candidates
candidate (rid) as materialized (select rid from dense union select rid from lexical union select rid from fixed)

-- name: candidates_pool
candidate (rid) as materialized (select rid from pool)

-- name: rel_dense
-- (1 + cosine) / 2 of every row; where no vectors can be compared, the lexical part stands for the cosine. In two steps, or the cosine
-- would be computed wherever it is named.
seen (rid, cosine, bm25, lexical_part) as materialized (
  select c.rid, @cosine@, l.bm25, coalesce(l.part, 0.0)
    from candidate c left join embeddings e on e.key = :space_key + c.rid left join lexical_part l on l.rid = c.rid),
rel (rid, cosine, bm25, dense_part, lexical_part, relevance) as materialized (
  select rid, cosine, bm25, cosine, lexical_part, (1 + coalesce(cosine, lexical_part)) / 2 from seen)

-- name: parts
part (rid, id, cosine, bm25, dense_part, lexical_part, relevance, recency, importance) as materialized (
  select rel.rid, m.id, rel.cosine, rel.bm25, rel.dense_part, rel.lexical_part, rel.relevance,
         exp(-@decay@ * max(0, :now_ms - m.@age@) / 3600000.0), m.importance_level / 10.0
    from rel cross join memories m on m.rid = rel.rid and m.scope = :scope)

-- name: plain
weighed as (select rid, id, cosine, bm25, dense_part, lexical_part, relevance, recency, importance from part)

-- name: rescaled
-- Generative Agents scales each part over all of the user's memories. The ends of the three ranges come from the whole scope.
ends (relevance, relevance_span, recency, recency_span, importance, importance_span) as materialized (
  select min(relevance), max(relevance) - min(relevance), min(recency), max(recency) - min(recency),
         min(importance), max(importance) - min(importance) from part),
weighed (rid, id, cosine, bm25, dense_part, lexical_part, relevance, recency, importance) as (
  select p.rid, p.id, p.cosine, p.bm25, p.dense_part, p.lexical_part,
         iif(e.relevance_span > 0, (p.relevance - e.relevance) / e.relevance_span, 1.0),
         iif(e.recency_span > 0, (p.recency - e.recency) / e.recency_span, 1.0),
         iif(e.importance_span > 0, (p.importance - e.importance) / e.importance_span, 1.0)
    from part p, ends e)

-- name: final
scored as (
  select rid, id, cosine, bm25, dense_part, lexical_part, relevance, recency, importance,
         :alpha * relevance + :beta * recency + :gamma * importance as score
    from weighed order by score desc, id limit :limit)
select s.bm25, s.dense_part, s.lexical_part, s.relevance, s.recency, s.importance as importance_part, s.score, @cosine@ as cosine,
       e.truncated, (select count(*) from dense) as dense_found, m.*
  from scored s cross join memories m on m.rid = s.rid left join embeddings e on e.key = :space_key + s.rid
 order by s.score desc, s.id;

-- name: decay
-- A memory's own rate of forgetting, else that of its kind; per hour.
coalesce(m.decay_per_hour, case m.kind when 'episodic' then :decay_episodic when 'semantic' then :decay_semantic else :decay_procedural end)

-- name: static
-- The part of the score that does not depend on the query.
:beta * exp(-@decay@ * max(0, :now_ms - m.@age@) / 3600000.0) + :gamma * m.importance_level / 10.0

-- name: pick
-- The memories a filter leaves. One more than :most tells that there are too many for a small pool.
insert into temp.picked (rid)
select m.rid from memories m
 where m.rid between :low and :high and (:status = 'any' or m.status = :status)
   and (m.expires_ms is null or m.expires_ms > :now_ms) @filter@ limit :most + 1

-- name: unpick
delete from temp.picked
