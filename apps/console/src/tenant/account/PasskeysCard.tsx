import { useQuery } from "@tanstack/react-query";
import { callApi } from "../../api/client";
import { useApiMutation } from "../../api/query-client";
import { describeDevice } from "../../device";
import { useErrorMessage } from "../../sign-in/error-messages";
import { hasPasskeys, isPasskeyCanceled } from "../../sign-in/PasskeyButton";
import { useTenant } from "../../sign-in/tenant-context";
import { useTexts } from "../../sign-in/texts/texts";
import { Button } from "../../ui/Button";
import { ErrorState, Notice, Skeleton } from "../../ui/feedback";
import { KeyIcon } from "../../ui/icons";
import { Card } from "../../ui/layout";
import { passkeysQuery } from "../queries";

const DAY = new Intl.DateTimeFormat(undefined, { dateStyle: "medium" });

/** The passkeys of the user. */
export function PasskeysCard() {
	const tenant = useTenant();
	const { account, device, errors } = useTexts();
	const errorMessage = useErrorMessage();
	const { data, error, refetch } = useQuery(passkeysQuery(tenant));
	const invalidate = [passkeysQuery(tenant).queryKey];
	const { passkey } = tenant.client;
	const add = useApiMutation({
		mutationFn: () =>
			callApi(passkey.addPasskey({ name: describeDevice(navigator.userAgent, device) })),
		successMessage: account.passkeyAdded,
		invalidate,
	});
	const remove = useApiMutation({
		mutationFn: (id: string) => callApi(passkey.deletePasskey({ id })),
		invalidate,
	});
	const failure = add.error ?? remove.error;
	return (
		<Card title={account.passkeys} hint={account.passkeysHint}>
			{failure && (
				<Notice kind="danger">
					{isPasskeyCanceled(failure) ? errors.ERROR_CEREMONY_ABORTED : errorMessage(failure)}
				</Notice>
			)}
			{error && (
				<ErrorState error={error} message={errorMessage(error)} onRetry={() => refetch()} />
			)}
			{!data && !error && (
				<div aria-busy="true">
					<Skeleton kind="control" />
				</div>
			)}
			{data?.length === 0 && <p className="muted">{account.noPasskeys}</p>}
			<ul className="items">
				{data?.map(({ id, name, createdAt }) => (
					<li key={id}>
						<KeyIcon />
						<div className="item-text">
							<p className="item-title">{name || device.unknown}</p>
							{createdAt && (
								<p className="muted small">{account.added(DAY.format(new Date(createdAt)))}</p>
							)}
						</div>
						<Button
							size="small"
							aria-label={account.removeWhat(name || device.unknown)}
							busy={remove.isPending && remove.variables === id}
							onClick={() => remove.mutate(id)}
						>
							{account.remove}
						</Button>
					</li>
				))}
			</ul>
			{hasPasskeys() && (
				<div>
					<Button busy={add.isPending} onClick={() => add.mutate()}>
						{account.addPasskey}
					</Button>
				</div>
			)}
		</Card>
	);
}
