-- Tickets that leave several resources without an order, at once. Each goes the way of
-- any-leave-quick.lua, or nothing is done about it and it is asked by itself: it does not hold, or
-- somebody waits.
--   KEYS  lock, needed of each
--   ARGV  what the value of its lock begins with if it holds, of each
-- Answers a word for each: H, or - if nothing was done.
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
