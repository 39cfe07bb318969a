-- The fast path of verbs/attempt-any-fast.lua for several resources at once. Nothing is done for an
-- attempt that cannot take it, because the key exists, a ticket waits, the ticket must not come back,
-- or the bucket's record is more than a counter; it is then sent alone. One read is enough: no two
-- attempts of a call are for the same resource, and if they were, NX would show it.
--   KEYS  lock, gone, bucket, needed of each
--   ARGV  the text of the value before the token and after it, and the lease, of each
-- Returns a word for each: gTOKEN, or - if nothing was done.
local clock = redis.call('TIME')
local tick = math.floor((clock[1] * 1000000 + clock[2]) / 64)
local seen = redis.call('MGET', unpack(KEYS))
local counters, answers = {}, {}
for i = 1, #KEYS / 4 do
  local lock, word = 4 * i - 3, 3 * i - 2
  local bucket = KEYS[lock + 2]
  local last = counters[bucket] or tonumber(seen[lock + 2])
  answers[i] = '-'
  if last and not seen[lock] and not seen[lock + 1] and not seen[lock + 3] then
    local counter = math.max(last + 1, tick)
    -- The counter first: no token is ever above it. An error concerns this attempt only.
    if not redis.pcall('SET', bucket, string.format('%d', counter)).err then
      counters[bucket] = counter
      local token = string.format('%d', counter * 1024)
      local value = ARGV[word] .. token .. ARGV[word + 1]
      local set = redis.pcall('SET', KEYS[lock], value, 'PX', ARGV[word + 2], 'NX')
      if set and not set.err then
        answers[i] = 'g' .. token
      end
    end
  end
end
return table.concat(answers, ' ')
