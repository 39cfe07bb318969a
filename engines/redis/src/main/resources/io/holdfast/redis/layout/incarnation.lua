-- Identifies the granting server: its run id, and its replication id, which changes when it becomes
-- master. The run id alone would not reveal a master that was a replica for a while and came back.
local function incarnationOf(runId)
  local id = string.match(redis.call('INFO', 'replication'), 'master_replid:(%w+)')
  return runId .. '/' .. (id or '')
end

