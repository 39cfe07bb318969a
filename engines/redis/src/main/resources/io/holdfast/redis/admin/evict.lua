local token, reason, publish = ARGV[1], ARGV[2], ARGV[3]
local id, _, lease = find(token)
if not id then
  return 0
end
-- For one lease: by then the holder has asked, or no longer relies on it.
redis.call('SET', gone(id), 'e ' .. reason, 'PX', digits(lease))
notifyHolders()
local field = redis.call('TYPE', lock).ok == 'hash' and open(id)
if not field then
  releaseToNext(publish)
  return 1
end
takeOut(id, parse(field))
dropExpired()
close(publish, 0)
return 1
