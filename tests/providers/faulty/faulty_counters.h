/* The symbols of faulty.ini, in the form that lodctr reads. */
#define FAULTY_OBJECT 0
#define FAULTY_REQUESTS 2
#define FAULTY_JOBS 4
