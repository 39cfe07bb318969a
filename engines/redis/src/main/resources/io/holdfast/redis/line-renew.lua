local id, lease = ARGV[1], tonumber(ARGV[2])
local out = redis.call('GET', gone)
if out then
  return {'X', out}
end
local found = redis.pcall('ZSCORE', holding, id)
if not found then
  return {'U'}
end
if found.err then
  return string.find(found.err, '^WRONGTYPE') and {'U'} or found
end
if tonumber(found) <= ms then
  return {'U'}
end
redis.call('ZADD', holding, ms + lease, id)
local keep = math.max(redis.call('PTTL', line), lease)
redis.call('PEXPIRE', line, keep)
redis.call('PEXPIRE', waiting, keep)
redis.call('PEXPIRE', holding, keep)
redis.call('PEXPIRE', watched, keep)
return 'R' .. redis.call('EXISTS', waiting)
