package analysis

import "kith"

// Jobs returns the jobs of a person, current and past, without repeats, in the
// order of the sub-documents that [Person] makes of them. The only errors are
// dates that cannot be read.
func Jobs(p kith.Person) (current, past []kith.Job, err error) {
	c, err := careerOf(p)
	if err != nil {
		return nil, nil, err
	}
	return records(c.current), records(c.past), nil
}

func records(jobs []job) []kith.Job {
	out := make([]kith.Job, len(jobs))
	for i, j := range jobs {
		out[i] = j.Job
	}
	return out
}
