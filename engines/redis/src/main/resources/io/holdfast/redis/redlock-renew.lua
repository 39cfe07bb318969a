local id, lease = ARGV[1], ARGV[2]
local who, ballot = holder()
if who ~= id then
  return {'U'}
end
redis.call('PEXPIRE', lock, lease)
return {'R', string.format('%.0f', ballot), wanted(id)}
