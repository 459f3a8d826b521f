"""What stands above the composer while work is planned: the plan that waits, and the steps of the work."""
