"""The schemas of requests and answers, a module a resource. Moves, events and views come from the games themselves."""
