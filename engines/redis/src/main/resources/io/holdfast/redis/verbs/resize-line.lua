-- Changes the capacity of a semaphore.
--   ARGV  ticket, generation, capacity, command to publish, field of the generation
-- Returns R, U if there is no line, or a refusal as in verbs/attempt-line.lua.
local id, generation, size = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3])
local publish, generationField = ARGV[4], ARGV[5]
local stored = redis.call('MGET', bucket)[1]
local refused = admitted(stored, generationField, generation, 0, '')
if refused then
  return refused
end
local field, inTheWay = open(id)
if inTheWay then
  return inTheWay
end
if kind then
  dropExpired()
end
if not kind or isEmpty() then
  redis.call('DEL', line)
  return {'U'}
end
if kind ~= 's' then
  close(publish, 0)
  return {'S', kind, digits(capacity)}
end
capacity, called, roomier = size, 0, true
close(publish, 0)
return {'R'}
