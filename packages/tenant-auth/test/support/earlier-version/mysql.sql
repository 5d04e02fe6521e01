create table `user` (`id` varchar(36) not null primary key, `name` varchar(255) not null, `email` varchar(191) not null, `emailVerified` boolean not null, `image` text, `createdAt` timestamp(3) default CURRENT_TIMESTAMP(3) not null, `updatedAt` timestamp(3) default CURRENT_TIMESTAMP(3) not null, `tenantId` varchar(191) not null, `tenantRole` text, `disabledAt` timestamp(3));

create table `session` (`id` varchar(36) not null primary key, `expiresAt` timestamp(3) not null, `token` varchar(255) not null unique, `createdAt` timestamp(3) default CURRENT_TIMESTAMP(3) not null, `updatedAt` timestamp(3) not null, `ipAddress` text, `userAgent` text, `userId` varchar(36) not null references `user` (`id`) on delete cascade, `tenantId` varchar(191) not null, `tenantImpersonator` text);

create table `account` (`id` varchar(36) not null primary key, `accountId` varchar(191) not null, `providerId` varchar(191) not null, `userId` varchar(36) not null references `user` (`id`) on delete cascade, `accessToken` text, `refreshToken` text, `idToken` text, `accessTokenExpiresAt` timestamp(3), `refreshTokenExpiresAt` timestamp(3), `scope` text, `password` text, `createdAt` timestamp(3) default CURRENT_TIMESTAMP(3) not null, `updatedAt` timestamp(3) not null, `tenantId` varchar(191) not null, `authority` text, `oauthClient` text);

create table `verification` (`id` varchar(36) not null primary key, `identifier` varchar(191) not null, `value` text not null, `expiresAt` timestamp(3) not null, `createdAt` timestamp(3) default CURRENT_TIMESTAMP(3) not null, `updatedAt` timestamp(3) default CURRENT_TIMESTAMP(3) not null, `tenantId` varchar(191) not null);

create table `tenant` (`id` varchar(36) not null primary key, `name` text not null, `slug` varchar(255) not null unique, `metadata` text, `policy` text, `webhooks` text, `createdAt` timestamp(3) default CURRENT_TIMESTAMP(3) not null, `updatedAt` timestamp(3) default CURRENT_TIMESTAMP(3) not null, `erasingSince` timestamp(3), `suspendedAt` timestamp(3));

create table `tenantOauthConfig` (`id` varchar(36) not null primary key, `tenantId` varchar(36) not null references `tenant` (`id`) on delete cascade, `providerId` varchar(191) not null, `clientId` text not null, `clientSecret` text not null, `scopes` text, `redirectURI` text, `options` text, `trustEmails` text, `enabled` boolean not null, `failedAt` timestamp(3), `failure` text, `createdAt` timestamp(3) default CURRENT_TIMESTAMP(3) not null, `updatedAt` timestamp(3) default CURRENT_TIMESTAMP(3) not null);

create table `tenantDomain` (`id` varchar(36) not null primary key, `tenantId` varchar(36) not null references `tenant` (`id`) on delete cascade, `host` varchar(191) not null, `purpose` varchar(191) not null, `lookupKey` varchar(255) not null unique, `token` text not null, `verifiedAt` timestamp(3), `checkedAt` timestamp(3), `missingSince` timestamp(3), `primarySince` timestamp(3), `discoverable` boolean not null, `createdAt` timestamp(3) default CURRENT_TIMESTAMP(3) not null);

create table `tenantRow` (`id` varchar(36) not null primary key, `model` varchar(191) not null, `rowId` varchar(191) not null, `tenantId` varchar(191) not null);

create table `tenantInvitation` (`id` varchar(36) not null primary key, `tenantId` varchar(36) not null references `tenant` (`id`) on delete cascade, `email` varchar(191) not null, `role` text not null, `tokenDigest` varchar(255) not null unique, `invitedBy` text, `inviterRole` text, `createdAt` timestamp(3) default CURRENT_TIMESTAMP(3) not null, `expiresAt` timestamp(3) not null, `sentAt` timestamp(3), `acceptedAt` timestamp(3), `revokedAt` timestamp(3));

create table `tenantImportedUser` (`id` varchar(36) not null primary key, `tenantId` varchar(191) not null, `externalId` varchar(191) not null, `userId` varchar(36) not null references `user` (`id`) on delete cascade);

create table `tenantAuditEvent` (`id` varchar(36) not null primary key, `createdAt` timestamp(3) default CURRENT_TIMESTAMP(3) not null, `action` text not null, `tenantId` varchar(191) not null, `actorKind` text not null, `actorId` text, `actorName` text, `targetId` text, `ipAddress` text, `userAgent` text, `detail` text);

create table `tenantWebhook` (`id` varchar(36) not null primary key, `tenantId` varchar(36) not null references `tenant` (`id`) on delete cascade, `url` text not null, `description` text, `eventTypes` text not null, `enabled` boolean not null, `secret` text not null, `previousSecret` text, `previousUntil` timestamp(3), `failures` integer not null, `disabledAt` timestamp(3), `createdAt` timestamp(3) default CURRENT_TIMESTAMP(3) not null, `updatedAt` timestamp(3) default CURRENT_TIMESTAMP(3) not null);

create table `tenantWebhookDelivery` (`id` varchar(36) not null primary key, `tenantId` varchar(36) not null references `tenant` (`id`) on delete cascade, `webhookId` varchar(191) not null, `eventId` text not null, `eventType` text not null, `payload` text not null, `state` varchar(191) not null, `attempts` integer not null, `nextAttemptAt` timestamp(3) default CURRENT_TIMESTAMP(3) not null, `responseStatus` integer, `error` text, `createdAt` timestamp(3) default CURRENT_TIMESTAMP(3) not null, `finishedAt` timestamp(3));

create table `tenantSignIn` (`id` varchar(36) not null primary key, `tenantId` varchar(36) not null references `tenant` (`id`) on delete cascade, `createdAt` timestamp(3) default CURRENT_TIMESTAMP(3) not null, `expiresAt` timestamp(3) not null, `userId` varchar(191), `emailDigest` varchar(191), `method` text, `providerId` text, `result` text not null, `reason` text, `ipAddress` text, `userAgent` text, `attempts` integer not null);

create table `note` (`id` varchar(36) not null primary key, `text` text not null);

create index `session_userId_idx` on `session` (`userId`);

create index `account_userId_idx` on `account` (`userId`);

create index `verification_identifier_idx` on `verification` (`identifier`);

create index `tenant_createdAt_idx` on `tenant` (`createdAt`);

create index `tenantImportedUser_userId_idx` on `tenantImportedUser` (`userId`);

create index `tenantAuditEvent_createdAt_idx` on `tenantAuditEvent` (`createdAt`);

create index `tenantSignIn_expiresAt_idx` on `tenantSignIn` (`expiresAt`);

create unique index `user_tenantId_email_uidx` on `user` (`tenantId`, `email`);

create index `user_tenantId_createdAt_idx` on `user` (`tenantId`, `createdAt`);

create index `session_tenantId_userId_idx` on `session` (`tenantId`, `userId`);

create index `session_tenantId_createdAt_idx` on `session` (`tenantId`, `createdAt`);

create unique index `account_tenantId_providerId_accountId_uidx` on `account` (`tenantId`, `providerId`, `accountId`);

create index `verification_tenantId_identifier_idx` on `verification` (`tenantId`, `identifier`);

create index `verification_tenantId_expiresAt_idx` on `verification` (`tenantId`, `expiresAt`);

create unique index `tenantOauthConfig_tenantId_providerId_uidx` on `tenantOauthConfig` (`tenantId`, `providerId`);

create unique index `tenantDomain_tenantId_purpose_host_uidx` on `tenantDomain` (`tenantId`, `purpose`, `host`);

create unique index `tenantRow_model_rowId_uidx` on `tenantRow` (`model`, `rowId`);

create index `tenantRow_tenantId_model_idx` on `tenantRow` (`tenantId`, `model`);

create unique index `tenantInvitation_tenantId_email_uidx` on `tenantInvitation` (`tenantId`, `email`);

create index `tenantInvitation_tenantId_createdAt_idx` on `tenantInvitation` (`tenantId`, `createdAt`);

create unique index `tenantImportedUser_tenantId_externalId_uidx` on `tenantImportedUser` (`tenantId`, `externalId`);

create index `tenantAuditEvent_tenantId_createdAt_idx` on `tenantAuditEvent` (`tenantId`, `createdAt`);

create index `tenantWebhook_tenantId_createdAt_idx` on `tenantWebhook` (`tenantId`, `createdAt`);

create index `tenantWebhookDelivery_state_nextAttemptAt_idx` on `tenantWebhookDelivery` (`state`, `nextAttemptAt`);

create index `tenantWebhookDelivery_tenantId_createdAt_idx` on `tenantWebhookDelivery` (`tenantId`, `createdAt`);

create index `tenantWebhookDelivery_webhookId_createdAt_idx` on `tenantWebhookDelivery` (`webhookId`, `createdAt`);

create index `tenantSignIn_tenantId_createdAt_idx` on `tenantSignIn` (`tenantId`, `createdAt`);

create index `tenantSignIn_tenantId_userId_createdAt_idx` on `tenantSignIn` (`tenantId`, `userId`, `createdAt`);

create index `tenantSignIn_tenantId_emailDigest_createdAt_idx` on `tenantSignIn` (`tenantId`, `emailDigest`, `createdAt`);