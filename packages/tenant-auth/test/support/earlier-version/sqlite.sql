create table "user" ("id" text not null primary key, "name" text not null, "email" text not null, "emailVerified" integer not null, "image" text, "createdAt" date not null, "updatedAt" date not null, "tenantId" text not null, "tenantRole" text, "disabledAt" date);

create table "session" ("id" text not null primary key, "expiresAt" date not null, "token" text not null unique, "createdAt" date not null, "updatedAt" date not null, "ipAddress" text, "userAgent" text, "userId" text not null references "user" ("id") on delete cascade, "tenantId" text not null, "tenantImpersonator" text);

create table "account" ("id" text not null primary key, "accountId" text not null, "providerId" text not null, "userId" text not null references "user" ("id") on delete cascade, "accessToken" text, "refreshToken" text, "idToken" text, "accessTokenExpiresAt" date, "refreshTokenExpiresAt" date, "scope" text, "password" text, "createdAt" date not null, "updatedAt" date not null, "tenantId" text not null, "authority" text, "oauthClient" text);

create table "verification" ("id" text not null primary key, "identifier" text not null, "value" text not null, "expiresAt" date not null, "createdAt" date not null, "updatedAt" date not null, "tenantId" text not null);

create table "tenant" ("id" text not null primary key, "name" text not null, "slug" text not null unique, "metadata" text, "policy" text, "webhooks" text, "createdAt" date not null, "updatedAt" date not null, "erasingSince" date, "suspendedAt" date);

create table "tenantOauthConfig" ("id" text not null primary key, "tenantId" text not null references "tenant" ("id") on delete cascade, "providerId" text not null, "clientId" text not null, "clientSecret" text not null, "scopes" text, "redirectURI" text, "options" text, "trustEmails" text, "enabled" integer not null, "failedAt" date, "failure" text, "createdAt" date not null, "updatedAt" date not null);

create table "tenantDomain" ("id" text not null primary key, "tenantId" text not null references "tenant" ("id") on delete cascade, "host" text not null, "purpose" text not null, "lookupKey" text not null unique, "token" text not null, "verifiedAt" date, "checkedAt" date, "missingSince" date, "primarySince" date, "discoverable" integer not null, "createdAt" date not null);

create table "tenantRow" ("id" text not null primary key, "model" text not null, "rowId" text not null, "tenantId" text not null);

create table "tenantInvitation" ("id" text not null primary key, "tenantId" text not null references "tenant" ("id") on delete cascade, "email" text not null, "role" text not null, "tokenDigest" text not null unique, "invitedBy" text, "inviterRole" text, "createdAt" date not null, "expiresAt" date not null, "sentAt" date, "acceptedAt" date, "revokedAt" date);

create table "tenantImportedUser" ("id" text not null primary key, "tenantId" text not null, "externalId" text not null, "userId" text not null references "user" ("id") on delete cascade);

create table "tenantAuditEvent" ("id" text not null primary key, "createdAt" date not null, "action" text not null, "tenantId" text not null, "actorKind" text not null, "actorId" text, "actorName" text, "targetId" text, "ipAddress" text, "userAgent" text, "detail" text);

create table "tenantWebhook" ("id" text not null primary key, "tenantId" text not null references "tenant" ("id") on delete cascade, "url" text not null, "description" text, "eventTypes" text not null, "enabled" integer not null, "secret" text not null, "previousSecret" text, "previousUntil" date, "failures" integer not null, "disabledAt" date, "createdAt" date not null, "updatedAt" date not null);

create table "tenantWebhookDelivery" ("id" text not null primary key, "tenantId" text not null references "tenant" ("id") on delete cascade, "webhookId" text not null, "eventId" text not null, "eventType" text not null, "payload" text not null, "state" text not null, "attempts" integer not null, "nextAttemptAt" date not null, "responseStatus" integer, "error" text, "createdAt" date not null, "finishedAt" date);

create table "tenantSignIn" ("id" text not null primary key, "tenantId" text not null references "tenant" ("id") on delete cascade, "createdAt" date not null, "expiresAt" date not null, "userId" text, "emailDigest" text, "method" text, "providerId" text, "result" text not null, "reason" text, "ipAddress" text, "userAgent" text, "attempts" integer not null);

create table "note" ("id" text not null primary key, "text" text not null);

create index "session_userId_idx" on "session" ("userId");

create index "account_userId_idx" on "account" ("userId");

create index "verification_identifier_idx" on "verification" ("identifier");

create index "tenant_createdAt_idx" on "tenant" ("createdAt");

create index "tenantImportedUser_userId_idx" on "tenantImportedUser" ("userId");

create index "tenantAuditEvent_createdAt_idx" on "tenantAuditEvent" ("createdAt");

create index "tenantSignIn_expiresAt_idx" on "tenantSignIn" ("expiresAt");

create unique index "user_tenantId_email_uidx" on "user" ("tenantId", "email");

create index "user_tenantId_createdAt_idx" on "user" ("tenantId", "createdAt");

create index "session_tenantId_userId_idx" on "session" ("tenantId", "userId");

create index "session_tenantId_createdAt_idx" on "session" ("tenantId", "createdAt");

create unique index "account_tenantId_providerId_accountId_uidx" on "account" ("tenantId", "providerId", "accountId");

create index "verification_tenantId_identifier_idx" on "verification" ("tenantId", "identifier");

create index "verification_tenantId_expiresAt_idx" on "verification" ("tenantId", "expiresAt");

create unique index "tenantOauthConfig_tenantId_providerId_uidx" on "tenantOauthConfig" ("tenantId", "providerId");

create unique index "tenantDomain_tenantId_purpose_host_uidx" on "tenantDomain" ("tenantId", "purpose", "host");

create unique index "tenantRow_model_rowId_uidx" on "tenantRow" ("model", "rowId");

create index "tenantRow_tenantId_model_idx" on "tenantRow" ("tenantId", "model");

create unique index "tenantInvitation_tenantId_email_uidx" on "tenantInvitation" ("tenantId", "email");

create index "tenantInvitation_tenantId_createdAt_idx" on "tenantInvitation" ("tenantId", "createdAt");

create unique index "tenantImportedUser_tenantId_externalId_uidx" on "tenantImportedUser" ("tenantId", "externalId");

create index "tenantAuditEvent_tenantId_createdAt_idx" on "tenantAuditEvent" ("tenantId", "createdAt");

create index "tenantWebhook_tenantId_createdAt_idx" on "tenantWebhook" ("tenantId", "createdAt");

create index "tenantWebhookDelivery_state_nextAttemptAt_idx" on "tenantWebhookDelivery" ("state", "nextAttemptAt");

create index "tenantWebhookDelivery_tenantId_createdAt_idx" on "tenantWebhookDelivery" ("tenantId", "createdAt");

create index "tenantWebhookDelivery_webhookId_createdAt_idx" on "tenantWebhookDelivery" ("webhookId", "createdAt");

create index "tenantSignIn_tenantId_createdAt_idx" on "tenantSignIn" ("tenantId", "createdAt");

create index "tenantSignIn_tenantId_userId_createdAt_idx" on "tenantSignIn" ("tenantId", "userId", "createdAt");

create index "tenantSignIn_tenantId_emailDigest_createdAt_idx" on "tenantSignIn" ("tenantId", "emailDigest", "createdAt");