"""What stands beside peers: how it is compared and told, and that the peers' games play."""
