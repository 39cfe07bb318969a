-- Tells all clients that somebody has changed the records of this resource: the holder asks the
-- store about its hold then, instead of at its next renewal. It belongs to no slot of a cluster.
local function tell()
  -- Whoever may not publish costs the holder time: it notices at its next renewal.
  redis.pcall('PUBLISH', '{hf:changes}', string.sub(lock, #bucket + 4))
end
