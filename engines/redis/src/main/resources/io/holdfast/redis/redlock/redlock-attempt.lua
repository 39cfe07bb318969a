-- An attempt at one master of Redlock.
--   ARGV  ticket, lease, field of the generation, generation, ballot, whether it may raise its ballot,
--         whether it waits, slack of ballots, ms of the mark of a waiter, the ballot above all,
--         owner, run id
-- Returns G BALLOT WANTED NEW COUNTER LIMIT, H BALLOT GENERATION LEFT OWNER held by another,
-- C COUNTER LIMIT free for other ballots, or a refusal: X departed, V newer layout, N generation,
-- F foreign key.
local id, lease, generationField, generation = ARGV[1], ARGV[2], ARGV[3], tonumber(ARGV[4])
local ballot, raises, waits = tonumber(ARGV[5]), ARGV[6] == '1', ARGV[7] == '1'
local slack, mark, every, owner = tonumber(ARGV[8]), ARGV[9], ARGV[10], ARGV[11]
local runId = ARGV[12]

local over = tonumber(redis.call('GET', gone) or '0')
if over >= tonumber(every) then
  return {'X'}
end
local record = redis.call('HMGET', bucket, 'v', 'c', generationField, 'r')
if record[1] and record[1] ~= '1' then
  return {'V', record[1]}
end
local known = tonumber(record[3] or '0')
if generation < known then
  return {'N', digits(known)}
end
if generation > known then
  redis.call('HSET', bucket, generationField, generation)
end

-- No ballot is accepted beyond the clock and some slack. So a process that finds no counter, or one
-- of another process, which may have lost its end, starts where nothing was ever accepted.
local now = math.floor(us / 64)
local limit = now + slack
local counter = tonumber(record[2] or '0')
if record[4] ~= runId then
  counter = math.max(counter, limit)
  redis.call('HSET', bucket, 'v', '1', 'c', digits(counter), 'r', runId)
end

counter = math.max(counter, over)

local who, its, of, label = holder()
if who == '?' then
  return {'F', 'string'}
end
if who and who ~= id then
  if waits then
    redis.call('SET', wants, id, 'PX', mark)
  end
  return {'H', digits(its), of, redis.call('PTTL', lock), label}
end
if who and (its >= ballot or not raises) then
  return {'G', digits(its), wanted(id), 0, digits(counter), digits(limit), extendLease(lease)}
end
if ballot <= counter or ballot > limit then
  return {'C', digits(counter), digits(limit)}
end
-- Read before anything is written: a foreign key fails here, and no vote stays unknown.
if redis.call('GET', wants) == id then
  redis.call('DEL', wants)
end
redis.call('HSET', bucket, 'c', digits(ballot))
redis.call('SET', lock, table.concat({id, digits(ballot), generation, owner}, ' '), 'PX', lease)
return {'G', digits(ballot), wanted(id), 1, digits(ballot), digits(limit)}
