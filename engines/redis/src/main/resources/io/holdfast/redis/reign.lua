-- Who grants here, and since when: a process, and its replication id, which changes when it is made
-- master. The run id alone would not tell a master that was away as a replica and came back.
local function reignOf(runId)
  local id = string.match(redis.call('INFO', 'replication'), 'master_replid:(%w+)')
  return runId .. '/' .. (id or '')
end

