-- The fast path of verbs/leave-any-fast.lua for several resources at once. Nothing is done for a
-- ticket that does not hold, or behind which another waits; it is then sent alone.
--   KEYS  lock, needed of each
--   ARGV  how the value of its lock begins if it holds, of each
-- Returns a word for each: H, or - if nothing was done.
local seen = redis.call('MGET', unpack(KEYS))
local free, answers = {}, {}
for i = 1, #ARGV do
  local held = seen[2 * i - 1]
  if held and not seen[2 * i] and string.sub(held, 1, #ARGV[i]) == ARGV[i] then
    free[#free + 1] = KEYS[2 * i - 1]
    answers[i] = 'H'
  else
    answers[i] = '-'
  end
end
if #free > 0 then
  redis.call('DEL', unpack(free))
end
return table.concat(answers, ' ')
