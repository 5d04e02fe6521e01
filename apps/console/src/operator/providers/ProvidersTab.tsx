import { useQuery } from "@tanstack/react-query";
import { providerOf } from "../../providers";
import { ErrorState } from "../../ui/ErrorState";
import { Skeleton } from "../../ui/Skeleton";
import { type EffectiveProvider, listConfigs, listEffectiveProviders } from "../api/providers";
import { useListState } from "../lists/list-state";
import { NothingFound } from "../lists/NothingFound";
import { Toolbar } from "../lists/Toolbar";
import { useTenant } from "../tenant/current-tenant";
import { AvailableProvider } from "./AvailableProvider";
import { ProviderCard } from "./ProviderCard";
import { configsKey, providersKey } from "./providers-key";

const isSetUp = ({ source, config }: EffectiveProvider) => source !== "none" || config !== "absent";

export function ProvidersTab() {
	const tenant = useTenant();
	const state = useListState();
	const { data, error, refetch } = useQuery({
		queryKey: providersKey(tenant.id),
		queryFn: () => listEffectiveProviders(tenant.id),
	});
	// Fails as a whole where one cannot be opened: its card says so, and the others do without.
	const { data: configs } = useQuery({
		queryKey: configsKey(tenant.id),
		queryFn: () => listConfigs(tenant.id),
	});
	if (error && !data) return <ErrorState error={error} onRetry={refetch} />;
	const search = state.search.toLowerCase();
	const found = data?.filter(({ providerId }) =>
		`${providerId} ${providerOf(providerId).name}`.toLowerCase().includes(search),
	);
	const setUp = found?.filter(isSetUp) ?? [];
	const available = found?.filter((provider) => !isSetUp(provider)) ?? [];
	return (
		<div className="stack">
			<h2 className="visually-hidden">Providers</h2>
			<Toolbar label="Search providers" state={state} />
			{!found && <Skeleton kind="block" />}
			{found?.length === 0 && <NothingFound what="providers" state={state} />}
			<div className="provider-cards">
				{setUp.map((provider) => (
					<ProviderCard
						key={provider.providerId}
						tenant={tenant}
						provider={provider}
						config={configs?.find(({ providerId }) => providerId === provider.providerId)}
					/>
				))}
			</div>
			{available.length > 0 && (
				<section className="stack" aria-labelledby="available-providers">
					<h2 id="available-providers">
						Not set up{" "}
						<span className="available-hint muted small">Choose one to store its credentials.</span>
					</h2>
					<ul className="available">
						{available.map((provider) => (
							<AvailableProvider key={provider.providerId} tenant={tenant} provider={provider} />
						))}
					</ul>
				</section>
			)}
		</div>
	);
}
