if stored ~= ARGV[2] then
  return {'N'}
end
redis.call('SET', KEYS[1], ARGV[1])
return {'B'}
