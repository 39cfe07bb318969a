-- A renewal in a line; see verbs/renew-any.lua.
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
local head = redis.pcall('HGET', line, 'h')
if type(head) ~= 'string' then
  -- The line was damaged by hand: the next attempt does not see this ticket.
  return {'U'}
end
-- Never earlier: the holder might not learn of an earlier end.
redis.call('ZADD', holding, math.max(tonumber(found), ms + lease), id)
local before, kept, ends = string.match(head, '^(.*) (%d+) (%d+)$')
if tonumber(kept) < ms + lease then
  redis.call('HSET', line, 'h', table.concat({before, digits(ms + 2 * lease), ends}, ' '))
  for _, key in ipairs({line, waiting, holding, watched}) do
    redis.call('PEXPIRE', key, 2 * lease)
  end
end
return 'R' .. redis.call('EXISTS', waiting)
