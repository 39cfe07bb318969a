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
  -- Somebody broke the line: whoever comes next does not see this ticket.
  return {'U'}
end
-- Never nearer: an end that came nearer might not be known to the holder.
redis.call('ZADD', holding, math.max(tonumber(found), ms + lease), id)
local before, kept, ends = string.match(head, '^(.*) (%d+) (%d+)$')
if tonumber(kept) < ms + lease then
  redis.call('HSET', line, 'h', table.concat({before, digits(ms + 2 * lease), ends}, ' '))
  for _, key in ipairs({line, waiting, holding, watched}) do
    redis.call('PEXPIRE', key, 2 * lease)
  end
end
return 'R' .. redis.call('EXISTS', waiting)
