/* The symbols of hang.ini, in the form that lodctr reads. */
#define HANG_OBJECT 0
#define HANG_REQUESTS 2
