import { describeMatrix } from "./matrix/plugins/describe-matrix";
import { adminMatrix } from "./matrix/plugins/admin";
import { anonymousMatrix } from "./matrix/plugins/anonymous";

describeMatrix(adminMatrix);
describeMatrix(anonymousMatrix);
