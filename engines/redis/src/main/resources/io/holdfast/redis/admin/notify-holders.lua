-- Notifies all clients that the records of this resource have changed: its holder then checks its
-- hold, instead of at its next renewal. The channel belongs to no slot of a cluster.
local function notifyHolders()
  -- Without the right to publish, the holder notices at its next renewal.
  redis.pcall('PUBLISH', '{hf:changes}', string.sub(lock, #bucket + 4))
end
