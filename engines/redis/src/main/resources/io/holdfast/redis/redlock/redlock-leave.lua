-- A leave, or an undo, at one master of Redlock.
--   ARGV  ticket, up to which ballot, ms of a tombstone or 0, whether it leaves for good
-- Returns H if it held, N if not.
local id, upTo, keep, all = ARGV[1], tonumber(ARGV[2]), ARGV[3], ARGV[4] == '1'
if keep ~= '0' and tonumber(redis.call('GET', gone) or '0') < upTo then
  redis.call('SET', gone, ARGV[2], 'PX', keep)
end
if all and redis.call('GET', wants) == id then
  redis.call('DEL', wants)
end
local who, ballot = holder()
if who == id and ballot <= upTo then
  redis.call('DEL', lock)
  return {'H'}
end
return {'N'}
