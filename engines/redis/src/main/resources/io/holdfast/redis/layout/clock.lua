local clock = redis.call('TIME')
