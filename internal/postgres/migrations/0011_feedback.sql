-- What the feedback about the e-mails of an integration is signed with, sealed;
-- and how an e-mail is found by its Message-ID.
alter table integrations add column feedback_secret text not null default '';
create index emails_message on emails (user_id, message_id) where message_id <> '';
