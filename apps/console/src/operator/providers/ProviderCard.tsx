import { useState } from "react";
import { providerOf } from "../../providers";
import { Badge } from "../../ui/Badge";
import { Button } from "../../ui/Button";
import { Card } from "../../ui/Card";
import { Notice } from "../../ui/Notice";
import { ProviderMark } from "../../ui/ProviderMark";
import type { EffectiveProvider, OAuthConfig } from "../api/providers";
import type { Tenant } from "../api/tenants";
import { formatMoment } from "../format/moment";
import { Facts } from "../lists/Facts";
import { useTenantAddresses } from "../tenant/tenant-addresses";
import { CredentialsDialog } from "./CredentialsDialog";
import { DeleteConfig } from "./DeleteConfig";
import { EnableSwitch } from "./EnableSwitch";
import { factsOf } from "./provider-facts";
import { failureInWords, stateOf } from "./provider-state";
import { TestDialog } from "./TestDialog";

type ProviderCardProps = {
	tenant: Tenant;
	provider: EffectiveProvider;
	/** The tenant's own client, where it has one that can be read. */
	config: OAuthConfig | undefined;
};

export function ProviderCard({ tenant, provider, config }: ProviderCardProps) {
	const [open, setOpen] = useState<"credentials" | "test" | "delete">();
	const close = () => setOpen(undefined);
	const { name } = providerOf(provider.providerId);
	const { label, kind, why } = stateOf(provider);
	const addresses = useTenantAddresses(tenant.slug);
	const isOwn = provider.config !== "absent";
	return (
		<Card
			title={
				<span className="with-logo">
					<ProviderMark providerId={provider.providerId} />
					{name} <Badge kind={kind}>{label}</Badge>
				</span>
			}
			hint={why}
			actions={isOwn && <EnableSwitch tenant={tenant} provider={provider} name={name} />}
		>
			{provider.lastFailure && (
				<Notice kind="warning">
					{failureInWords(provider.lastFailure.code)} Last failure{" "}
					{formatMoment(provider.lastFailure.at)} (<code>{provider.lastFailure.code}</code>).
				</Notice>
			)}
			<Facts facts={factsOf(provider, config, addresses)} />
			<div className="row">
				{label !== "Off" && (
					<Button aria-label={`Test ${name}`} onClick={() => setOpen("test")}>
						Test
					</Button>
				)}
				<Button onClick={() => setOpen("credentials")}>
					{isOwn ? "Replace credentials" : "Use a client of its own"}
					<span className="visually-hidden"> for {name}</span>
				</Button>
				{isOwn && (
					<Button
						kind="quiet"
						aria-label={`Delete the credentials for ${name}`}
						onClick={() => setOpen("delete")}
					>
						Delete
					</Button>
				)}
			</div>
			<CredentialsDialog
				tenant={tenant}
				provider={provider}
				config={config}
				open={open === "credentials"}
				onClose={close}
			/>
			<TestDialog
				tenant={tenant}
				provider={provider}
				redirectURI={config?.redirectURI}
				open={open === "test"}
				onClose={close}
			/>
			<DeleteConfig tenant={tenant} provider={provider} open={open === "delete"} onClose={close} />
		</Card>
	);
}
