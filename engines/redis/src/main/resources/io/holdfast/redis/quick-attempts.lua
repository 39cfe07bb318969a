-- Attempts for several resources without an order, at once. Each goes the way of any-quick.lua, or
-- nothing is done about it and it is asked by itself: something is there, somebody waits, the ticket
-- must not come back, or the bucket's record is more than a counter. What is seen once is enough:
-- no other attempt of this call is for the same resource, and if one were, NX would tell.
--   KEYS  lock, gone, bucket, needed of each
--   ARGV  what its value says before the token and after it, and the lease, of each
-- Answers a word for each: gTOKEN, or - if nothing was done.
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
    -- The counter first: a token that was given out is never below it. An error is this one's own.
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
