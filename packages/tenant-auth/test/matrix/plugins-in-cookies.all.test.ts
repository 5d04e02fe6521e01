import { describeAllPlugins } from "./plugins/all-plugins";
import { describeMatrixIn } from "./plugins/describe-matrix";

// A file of its own, so that the set-ups run at the same time.
describeAllPlugins(describeMatrixIn("with the cookie cache"));
