local id, lease = ARGV[1], ARGV[2]
local who, ballot = holder()
if who ~= id then
  return {'U'}
end
return {'R', string.format('%.0f', ballot), wanted(id), prolong(lease)}
