import { useEffect, useRef, useState } from "react";
import { useApiMutation } from "../../api/query-client";
import { formatTime } from "../../format";
import { Button } from "../../ui/Button";
import { ConfirmByTyping } from "../../ui/Dialog";
import { Badge, Notice } from "../../ui/feedback";
import { Card } from "../../ui/layout";
import { ProviderIcon } from "../../ui/logos";
import { Switch } from "../../ui/Switch";
import { useToast } from "../../ui/Toast";
import { useApi } from "../api/context";
import { type EffectiveProvider, type OAuthConfig, providersKey } from "../api/providers";
import type { Tenant } from "../api/tenants";
import { useMayInTenant } from "../current-tenant/tenant-context";
import { useTenantUrls } from "../current-tenant/tenant-urls";
import { DetailList } from "../details";
import { CredentialsDialog } from "./CredentialsDialog";
import { describeFailure, nameOf, providerDetails, providerStatus } from "./provider-details";
import { TestDialog } from "./TestDialog";

type ProviderProps = { tenant: Tenant; provider: EffectiveProvider };

type ProviderCardProps = ProviderProps & {
	/** The tenant's OAuth config, if it has one that can be read. */
	config: OAuthConfig | undefined;
	/** Whether its credentials were saved a moment ago. */
	isSaved: boolean;
	onSaved: (providerId: string) => void;
};

export function ProviderCard(props: ProviderCardProps) {
	const { tenant, provider, config, isSaved, onSaved } = props;
	const [openDialog, setOpenDialog] = useState<"credentials" | "test" | "delete">();
	const close = () => setOpenDialog(undefined);
	const name = nameOf(provider);
	const { label, kind, canTest, explanation } = providerStatus(provider);
	const urls = useTenantUrls(tenant.slug);
	const hasConfig = provider.config !== "absent";
	const may = useMayInTenant();
	return (
		<Card
			title={
				<span className="with-logo">
					<ProviderIcon providerId={provider.providerId} />
					{name} <Badge kind={kind}>{label}</Badge>
				</span>
			}
			hint={explanation}
			actions={
				hasConfig &&
				may("oauth-config:update") && <EnableSwitch tenant={tenant} provider={provider} />
			}
		>
			{isSaved && canTest && <TestOffer name={name} onTest={() => setOpenDialog("test")} />}
			{provider.lastFailure && (
				<Notice kind="warning">
					{describeFailure(provider.lastFailure.code)} Last failure:{" "}
					{formatTime(provider.lastFailure.at)} (<code>{provider.lastFailure.code}</code>).
				</Notice>
			)}
			<DetailList details={providerDetails(provider, config, urls)} />
			<div className="row">
				{canTest && may("connection:test") && (
					<Button aria-label={`Test ${name}`} onClick={() => setOpenDialog("test")}>
						Test
					</Button>
				)}
				{may("oauth-config:register") && (
					<Button onClick={() => setOpenDialog("credentials")}>
						{hasConfig ? "Replace credentials" : "Add tenant credentials"}
						<span className="visually-hidden"> for {name}</span>
					</Button>
				)}
				{hasConfig && may("oauth-config:delete") && (
					<Button
						kind="quiet"
						aria-label={`Delete the credentials for ${name}`}
						onClick={() => setOpenDialog("delete")}
					>
						Delete
					</Button>
				)}
			</div>
			<CredentialsDialog
				tenant={tenant}
				provider={provider}
				config={config}
				open={openDialog === "credentials"}
				onClose={close}
				onSaved={onSaved}
			/>
			<TestDialog
				tenant={tenant}
				provider={provider}
				redirectURI={config?.redirectURI}
				open={openDialog === "test"}
				onClose={close}
			/>
			<DeleteDialog
				tenant={tenant}
				provider={provider}
				open={openDialog === "delete"}
				onClose={close}
			/>
		</Card>
	);
}

/** Credentials are seldom right at once, so a test is the next step. */
function TestOffer({ name, onTest }: { name: string; onTest: () => void }) {
	const button = useRef<HTMLButtonElement>(null);
	useEffect(() => button.current?.focus(), []);
	return (
		<Notice kind="success">
			<div className="row">
				<span className="grow">Saved. Find out whether {name} accepts it.</span>
				<button
					ref={button}
					type="button"
					className="button button-secondary button-small"
					onClick={onTest}
				>
					Test now
				</button>
			</div>
		</Notice>
	);
}

function EnableSwitch({ tenant, provider }: ProviderProps) {
	const { providerId, config } = provider;
	const name = nameOf(provider);
	const { updateOAuthConfig } = useApi();
	const toast = useToast();
	const isEnabled = config !== "disabled";
	const change = useApiMutation({
		mutationFn: (enabled: boolean) => updateOAuthConfig(tenant.id, providerId, { enabled }),
		successMessage: `The tenant's client for ${name} was ${isEnabled ? "disabled" : "enabled"}.`,
		invalidate: [providersKey(tenant.id)],
		onError: ({ message }) => toast(message, "danger"),
	});
	return (
		<Switch
			label={`Use the tenant's client for ${name}`}
			hideLabel
			checked={change.isPending ? change.variables : isEnabled}
			onCheckedChange={change.mutate}
		/>
	);
}

type DeleteDialogProps = ProviderProps & { open: boolean; onClose: () => void };

function DeleteDialog({ tenant, provider, open, onClose }: DeleteDialogProps) {
	const { providerId } = provider;
	const name = nameOf(provider);
	const { deleteOAuthConfig } = useApi();
	const remove = useApiMutation({
		mutationFn: () => deleteOAuthConfig(tenant.id, providerId),
		successMessage: `The credentials for ${name} were deleted.`,
		invalidate: [providersKey(tenant.id)],
		onSuccess: onClose,
	});
	return (
		<ConfirmByTyping
			title={`Delete the credentials for ${name}?`}
			expected={tenant.slug}
			action="Delete credentials"
			open={open}
			mutation={remove}
			onClose={onClose}
		>
			<p>
				Users of {tenant.name} can then sign in with {name} only if the service has its own client
				for it. Users and their accounts stay.
			</p>
		</ConfirmByTyping>
	);
}
