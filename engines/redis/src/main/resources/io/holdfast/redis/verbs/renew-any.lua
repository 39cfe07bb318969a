-- A renewal without an order.
--   ARGV  ticket, lease
-- Returns R0, or R1 if others wait; U if it does not hold; X and the mark of a departed ticket.
local id, lease = ARGV[1], ARGV[2]
local seen = redis.call('MGET', lock, gone, needed)
if seen[2] then
  return {'X', seen[2]}
end
if seen[1] and string.match(seen[1], '^[mo] (%S+) ') == id then
  extendLease(lease)
  return seen[3] and 'R1' or 'R0'
end
return {'U'}
