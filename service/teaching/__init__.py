"""What a rule set is, for somebody who has never played it: a module a topic, and no rule set is named in any of them.

Each sentence says which rule sets it is true of, by what a rule set consists of: so one that is new is taught, too.
"""
