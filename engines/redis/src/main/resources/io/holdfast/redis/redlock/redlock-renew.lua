-- A renewal at one master of Redlock.
--   ARGV  ticket, lease
-- Returns R BALLOT WANTED LEFT, or U if it does not hold.
local id, lease = ARGV[1], ARGV[2]
local who, ballot = holder()
if who ~= id then
  return {'U'}
end
return {'R', string.format('%.0f', ballot), wanted(id), extendLease(lease)}
