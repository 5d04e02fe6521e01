import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { providerOf } from "../../providers";
import { Button } from "../../ui/Button";
import { ErrorState, Skeleton } from "../../ui/feedback";
import { SearchBox } from "../../ui/lists";
import { ProviderIcon } from "../../ui/logos";
import { useApi } from "../api/context";
import type { EffectiveProvider } from "../api/providers";
import { TenantPageHeader } from "../current-tenant/TenantPageHeader";
import { useMayInTenant, useTenant } from "../current-tenant/tenant-context";
import { NoMatches } from "../lists/DataList";
import { useListState } from "../lists/list-state";
import { AddOpenIdProvider } from "./AddOpenIdProvider";
import { CredentialsDialog } from "./CredentialsDialog";
import { ProviderCard } from "./ProviderCard";
import { nameOf } from "./provider-details";

const isSetUp = ({ source, config }: EffectiveProvider) => source !== "none" || config !== "absent";

export function ProvidersTab() {
	const { effectiveProvidersQuery, oauthConfigsQuery } = useApi();
	const tenant = useTenant();
	const state = useListState();
	const [saved, setSaved] = useState<string>();
	const { data, error, refetch } = useQuery(effectiveProvidersQuery(tenant.id));
	// This query fails if one config cannot be decrypted. The cards then show what `data` says.
	const may = useMayInTenant();
	const { data: configs } = useQuery({
		...oauthConfigsQuery(tenant.id),
		enabled: may("oauth-config:list"),
	});
	if (error && !data) {
		return (
			<div className="stack">
				<TenantPageHeader title="Providers" />
				<ErrorState error={error} onRetry={refetch} />
			</div>
		);
	}
	const search = state.search.toLowerCase();
	const found = data?.filter((provider) =>
		`${provider.providerId} ${nameOf(provider)}`.toLowerCase().includes(search),
	);
	const setUp = found?.filter(isSetUp) ?? [];
	const available = found?.filter((provider) => !isSetUp(provider)) ?? [];
	return (
		<div className="stack">
			<TenantPageHeader title="Providers" />
			<div className="row">
				<SearchBox label="Search providers" value={state.search} onSearch={state.setSearch} />
				{may("oauth-config:register") && (
					<AddOpenIdProvider known={data ?? []} onSaved={setSaved} />
				)}
			</div>
			{!found && (
				<div aria-busy="true">
					<Skeleton kind="block" />
				</div>
			)}
			{found?.length === 0 && <NoMatches what="providers" state={state} />}
			<div className="provider-cards">
				{setUp.map((provider) => (
					<ProviderCard
						key={provider.providerId}
						tenant={tenant}
						provider={provider}
						config={configs?.find(({ providerId }) => providerId === provider.providerId)}
						isSaved={provider.providerId === saved}
						onSaved={setSaved}
					/>
				))}
			</div>
			{available.length > 0 && may("oauth-config:register") && (
				<section className="stack" aria-labelledby="available-providers">
					<h2 id="available-providers">
						Not set up{" "}
						<span className="available-hint muted small">
							Choose a provider to enter its credentials.
						</span>
					</h2>
					<ul className="available">
						{available.map((provider) => (
							<AvailableProvider key={provider.providerId} provider={provider} onSaved={setSaved} />
						))}
					</ul>
				</section>
			)}
		</div>
	);
}

type AvailableProviderProps = {
	provider: EffectiveProvider;
	onSaved: (providerId: string) => void;
};

function AvailableProvider({ provider, onSaved }: AvailableProviderProps) {
	const tenant = useTenant();
	const [isOpen, setOpen] = useState(false);
	return (
		<li>
			<Button
				className="available-provider"
				wide
				icon={<ProviderIcon providerId={provider.providerId} />}
				onClick={() => setOpen(true)}
			>
				<span>
					<span className="visually-hidden">Set up </span>
					{providerOf(provider.providerId).name}
				</span>
			</Button>
			<CredentialsDialog
				tenant={tenant}
				provider={provider}
				config={undefined}
				open={isOpen}
				onClose={() => setOpen(false)}
				onSaved={onSaved}
			/>
		</li>
	);
}
