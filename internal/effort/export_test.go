package effort

// DeadlineAfter is [Deadline] for a given time.
var DeadlineAfter = deadline
