local token, reason = ARGV[1], ARGV[2]
local id, left = find(token)
if not id then
  return 0
end
-- It ends with the lease, which can no longer be renewed.
redis.call('SET', gone(id), 'r ' .. reason, 'PX', digits(left))
notifyHolders()
return 1
