local first = higher(stored, ARGV[2])
if ARGV[3] == '1' then
  -- Not below the clock in microseconds: a server that forgot the last blocks does not repeat them.
  local clock = redis.call('TIME')
  first = higher(first, string.format('%d%06d', clock[1], clock[2]))
end
redis.call('SET', KEYS[1], sum(first, ARGV[1]))
return {'T', first}
