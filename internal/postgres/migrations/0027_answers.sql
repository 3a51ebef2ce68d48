-- Answers to idempotency keys are committed with the change that they answer for, so
-- nothing is claimed beforehand. They are bytes, without the text form of a token.
-- Answers about tokens are dropped: they are no longer kept.
delete from idempotency_keys where about_nobody;
alter table idempotency_keys drop column claimed_until;
alter table idempotency_keys alter column answer type bytea
    using decode(rpad(translate(answer, '-_', '+/'), ((length(answer) + 3) / 4) * 4, '='), 'base64');
