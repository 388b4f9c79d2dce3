"""The commands of `wintercount`: each module is read when one of its commands is asked for (`service.runtime.cli`)."""
