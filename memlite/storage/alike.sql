-- Memories like a new one: active, of its area, of its agent where they have one; no turns, nothing pinned.

-- name: alike_scan
-- Every vector of a small scope.
select m.*, 1 - vec_distance_cosine(e.v, :q) as cosine
  from memories m cross join embeddings e on e.key = :space_key + m.rid
 where m.scope = :scope and @offered@ and 1 - vec_distance_cosine(e.v, :q) >= :floor
 order by cosine desc, m.id limit :limit;

-- name: alike_near
-- Of a large one, those whose signs differ little enough to be worth a cosine.
with near as materialized (
  select rowid as rid from vec_N
   where v match vec_quantize_binary(:q) and k = 4096 and distance <= :within and scope = :scope)
select m.*, 1 - vec_distance_cosine(e.v, :q) as cosine
  from near cross join memories m on m.rid = near.rid cross join embeddings e on e.key = :space_key + near.rid
 where @offered@ and 1 - vec_distance_cosine(e.v, :q) >= :floor
 order by cosine desc, m.id limit :limit;

-- name: alike_words
-- Those without a vector of the space, or all where the new text has none, by the words they share.
with found as materialized (
  select rowid as rid, bm25(memories_fts, 3.0, 0.0) as bm25
    from memories_fts where memories_fts match :match and rowid between :low and :high
   order by bm25 limit 200)
select m.*
  from found cross join memories m on m.rid = found.rid
 where @offered@ and (:q is null or not exists (select 1 from embeddings e where e.key = :space_key + m.rid))
 order by found.bm25, m.id limit :limit;

-- name: offered
-- The condition all of them share.
m.scope = :scope and m.area = :area and m.status = 'active' and m.granularity <> 'turn' and m.pinned = 0
   and (m.expires_ms is null or m.expires_ms > :now_ms) and (m.agent_id is null or m.agent_id is :agent_id)
   and (:before_ms is null or (m.occurred_ms, m.id) < (:before_ms, :before_id));

-- name: sized
-- How many active memories the user has, as far as it matters, and how many keys were given out: about how many there are.
select (select count(*) from (select 1 from memories where scope = :scope and status = 'active' limit 2001)),
       (select next - 1 from scopes where scope = :scope);
